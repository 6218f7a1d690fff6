#include "emulator/sched/time_limit.h"

#include <time.h>

namespace tmaemu {
namespace {

// A page of the book has one thread, and no clock of its processor.
#ifdef CLOCK_THREAD_CPUTIME_ID
const clockid_t thread_clock = CLOCK_THREAD_CPUTIME_ID;
#else
const clockid_t thread_clock = CLOCK_MONOTONIC;
#endif

TimeLimit::Duration time_of_this_thread() {
  timespec used{};
  clock_gettime(thread_clock, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

TimeLimit::TimeLimit(Duration allowed)
    : allowed_(allowed), began_(time_of_this_thread()), earliest_end_(Clock::now() + allowed) {}

TimeLimit::Duration TimeLimit::used() const {
  return time_of_this_thread() - began_;
}

TimeLimit::Watch::Watch(const TimeLimit* limit, Duration used_before)
    : limit_(limit), used_before_(used_before) {
  if (limit_ != nullptr) began_ = time_of_this_thread();
}

bool TimeLimit::Watch::is_over() const {
  if (limit_ == nullptr || Clock::now() < limit_->earliest_end_) return false;
  return used_before_ + time_of_this_thread() - began_ >= limit_->allowed_;
}

}  // namespace tmaemu
