// What a runner uses of the machine, seen from outside: whatever stands between the judge and the
// runner, a sandbox or nothing, and whatever the runner says of itself.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace judge {

struct Usage {
  // In RAM or in swap, with page tables, without the pages of files.
  std::uint64_t memory_bytes = 0;
  std::uint64_t threads = 0;
};

// Of a process and all of its descendants. What ends meanwhile counts as nothing.
Usage usage_of_tree(pid_t root);

// Far above what an honest launcher uses with the emulator in its process.
struct UsageLimits {
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  std::uint64_t threads = 1000;
};

// Which limit is exceeded, in words for the student.
std::optional<std::string> excess(const Usage& usage, const UsageLimits& limits);

}  // namespace judge
