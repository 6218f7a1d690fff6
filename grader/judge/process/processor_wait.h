// How long a process was kept waiting for a processor: time of a busy machine, not of the process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <unordered_map>

namespace judge {

class ProcessorWait {
 public:
  // Counts from now on, for a process and all of its descendants.
  explicit ProcessorWait(pid_t root);

  // The longest that one of their threads was ready to run while others had the processors; 0 where
  // the kernel does not count it. The longest and not the sum: threads wait side by side.
  std::chrono::nanoseconds longest() const;

 private:
  pid_t root_;
  std::unordered_map<pid_t, std::chrono::nanoseconds> before_;  // by thread
};

}  // namespace judge
