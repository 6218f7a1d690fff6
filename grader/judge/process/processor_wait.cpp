#include "judge/process/processor_wait.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "judge/process/process_tree.h"

namespace judge {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

// The file has three numbers: nanoseconds on a processor, nanoseconds in a run queue, and how often
// the thread was given a processor (the kernel's Documentation/scheduler/sched-stats.rst).
nanoseconds wait_of(const fs::path& task) {
  std::ifstream file(task / "schedstat");
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  if (!(file >> ran >> waited)) return {};
  return nanoseconds(waited);
}

std::unordered_map<pid_t, nanoseconds> waits_of_threads(pid_t root) {
  std::unordered_map<pid_t, nanoseconds> waits;
  for (const pid_t process : tree_of(root)) {
    for (const fs::path& task : tasks_of(process))
      waits[std::stoi(task.filename())] = wait_of(task);
  }
  return waits;
}

}  // namespace

ProcessorWait::ProcessorWait(pid_t root) : root_(root), before_(waits_of_threads(root)) {}

nanoseconds ProcessorWait::longest() const {
  nanoseconds longest{};
  for (const auto& [thread, waited] : waits_of_threads(root_)) {
    const auto before = before_.find(thread);
    longest =
        std::max(longest, waited - (before == before_.end() ? nanoseconds() : before->second));
  }
  return longest;
}

}  // namespace judge
