// Accesses of the host program to memory that it shares with the device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

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

// The host has read or written memory while work under way uses it.
struct HostTouch {
  std::uint64_t address = 0;  // of the first byte
  bool writes = false;
  std::function<HostPlace()> place;  // looked up when somebody asks
};

}  // namespace tmaemu
