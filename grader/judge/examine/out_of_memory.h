// Whether the kernel ended processes because the machine had no memory left: whoever was ended then
// need not be the one who had taken it.
#pragma once

#include <cstdint>

#include "judge/verdict/verdict.h"

namespace judge {

class OutOfMemoryWatch {
 public:
  // Begins now. The kernel counts in `statistics`.
  explicit OutOfMemoryWatch(const char* statistics = "/proc/vmstat");

  // Whether that may be how the process of this outcome ended.
  bool explains(const Outcome& outcome) const;

 private:
  const char* statistics_;
  std::uint64_t kills_before_;
};

}  // namespace judge
