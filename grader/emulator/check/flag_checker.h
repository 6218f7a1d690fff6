// What the checker looks after of flags: what threads tell each other by strong accesses, and by
// fences before and behind them. PTX ISA, "Release and Acquire patterns".
#pragma once

#include <span>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/flags.h"
#include "emulator/check/heard_flags.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class FlagChecker {
 public:
  explicit FlagChecker(ClusterState& state)
      : state_(state), pending_(state.thread_count()), heard_(state) {}

  void start();
  // A strong access: what its threads find, and, once it is checked, what they leave.
  void comes_upon(const events::Access& access) { acquire(access, access.lanes); }
  void leaves(const events::Access& access);
  // fence and membar.
  void fence(const events::Fence& fence);
  // A relaxed read found this: a fence behind it makes the thread know it.
  void expect_fence(ThreadId thread, const Release& found);
  // Which flags threads have read, and why one of them ordered nothing.
  const HeardFlags& heard() const { return heard_; }
  // What the thread's last fence covers, for strong operations behind it to release.
  const Release& fenced(ThreadId thread) const { return pending_[state_.slot(thread)].fenced; }

 private:
  // What a thread's fences and strong accesses have prepared.
  struct Pending {
    Release fenced;             // by its last fence: strong writes behind it release this
    std::vector<Release> read;  // found by its strong reads: a fence behind them acquires this
  };

  void acquire(const events::Access& access, std::span<const events::LaneAddress> lanes);
  // An acquiring read found this.
  void acquire(ThreadId thread, const Release& found, Scope acquired);
  void release(const events::Access& access, std::span<const events::LaneAddress> lanes);
  bool tells_nothing(const events::Access& access, const events::LaneAddress& lane,
                     const Release& release) const;
  void add_fenced_nearby(ThreadId thread, Scope flag, Release& release) const;

  ClusterState& state_;
  Flags shared_;                  // those in global memory are the launch's
  std::vector<Pending> pending_;  // by thread
  bool has_pending_ = false;
  HeardFlags heard_;
};

}  // namespace tmaemu::check
