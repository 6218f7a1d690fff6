#include "judge/examine/out_of_memory.h"

#include <fstream>
#include <string>

namespace judge {
namespace {

// Since the machine started (proc_vmstat(5), Linux 4.13); 0 where nobody counts.
std::uint64_t kills_so_far(const char* file) {
  std::ifstream statistics(file);
  std::string name;
  for (std::uint64_t value = 0; statistics >> name >> value;) {
    if (name == "oom_kill") return value;
  }
  return 0;
}

}  // namespace

OutOfMemoryWatch::OutOfMemoryWatch(const char* statistics)
    : statistics_(statistics), kills_before_(kills_so_far(statistics)) {}

bool OutOfMemoryWatch::explains(const Outcome& outcome) const {
  return outcome.was_killed && kills_so_far(statistics_) != kills_before_;
}

}  // namespace judge
