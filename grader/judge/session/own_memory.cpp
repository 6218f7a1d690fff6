#include "judge/session/own_memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

namespace judge {
namespace {

[[noreturn]] void end() {
  constexpr std::string_view said = "judge: it needs more memory than it may have itself\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, said.data(), said.size());
  _exit(out_of_own_memory_status);
}

}  // namespace

void limit_own_memory(std::size_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    setrlimit(RLIMIT_DATA, &limit);
  }
  std::set_new_handler(end);
}

void keep_own_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

}  // namespace judge
