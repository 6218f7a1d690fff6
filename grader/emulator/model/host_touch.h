// Accesses of the host program to memory that it shares with the device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/model/stream_order.h"

namespace tmaemu {

// Where the host program is, as far as that can be told: a line where it was compiled with -g, a
// function where it has symbols.
struct HostPlace {
  std::string function;
  std::string file;        // its path, as the compiler was given it; empty: no line is known
  std::uint32_t line = 0;  // the first is 1
  // Without its folders.
  std::string file_name() const { return file.substr(file.rfind('/') + 1); }
};

// Of the memory that host and device share: what work uses that the host may not know to be over.
struct UsedBesideHost {
  std::vector<StreamedBytes> all;
  // Those that a kernel has written for the host to look at: who has seen one may know that what
  // the kernel did before is done.
  std::vector<StreamedBytes> flags;
};

// The host has read or written memory while work under way uses it.
struct HostTouch {
  std::uint64_t address = 0;  // of the first byte
  bool writes = false;
  std::function<HostPlace()> place;  // looked up when somebody asks
};

}  // namespace tmaemu
