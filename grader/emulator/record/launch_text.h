// One launch of a kernel and all that it needs, as text: what a program launches is written so
// (launch_file.cpp), and a page of the book runs it.
//
// A line begins with a word that says what it is:
//     kernel NAME                  as in the PTX
//     grid X Y Z, block X Y Z      their extents
//     cluster X Y Z                where the launch or the kernel asks for one
//     shared BYTES                 dynamic shared memory of a CTA
//     parameters HEX               the kernel's parameter block
//     memory ADDRESS BYTES HEX     an allocation, in the order of the program's; its first bytes;
//                                  "-" where nobody has written any
//     source NAME LINES            that many lines follow, which findings quote
//     ptx                          the rest of the text is the module
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"
#include "emulator/model/ids.h"

namespace tmaemu::record {

struct Source {
  std::string name;
  std::vector<std::string> lines;
};

struct LaunchText {
  struct Allocation {
    std::uint64_t address = 0;  // where it has to lie: parameters and tensor maps hold it
    std::uint64_t size = 0;
    std::vector<std::byte> bytes;
  };
  std::string kernel;
  Dimensions grid{1, 1, 1};
  Dimensions block{1, 1, 1};
  Dimensions cluster{1, 1, 1};
  bool has_cluster = false;
  std::size_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<Allocation> memory;
  Source source;
  std::string ptx;

  // The error names the line.
  static common::Result<LaunchText> parse(std::string_view text);
  std::string text() const;
};

}  // namespace tmaemu::record
