// How long kernels may run: who grades waits for an end, and wants to know where there was none.
#pragma once

#include <chrono>

namespace tmaemu {

// Time of a processor that a thread uses, and not time on the wall: a busy machine ends nobody.
class TimeLimit {
 public:
  using Duration = std::chrono::nanoseconds;

  // Begins now, for the thread that makes it and whom it starts.
  explicit TimeLimit(Duration allowed);
  // What the thread that has made it has used.
  Duration used() const;

  // The limit for one of the threads that execute a kernel. It is looked at often.
  class Watch {
   public:
    // For the calling thread, which was begun when that much was used. Null: no limit.
    Watch(const TimeLimit* limit, Duration used_before);
    bool is_over() const;

   private:
    const TimeLimit* limit_;
    Duration used_before_;
    Duration began_{};
  };

 private:
  using Clock = std::chrono::steady_clock;  // much cheaper to read
  Duration allowed_;
  Duration began_;
  Clock::time_point earliest_end_;
};

}  // namespace tmaemu
