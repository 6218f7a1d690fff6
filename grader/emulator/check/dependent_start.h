// griddepcontrol, which lets the next launch of a stream begin before this one is over.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/neighbor_checker.h"
#include "emulator/check/past_launches.h"

namespace tmaemu::check {

// The griddepcontrol of the clusters that one thread of the host executes.
class DependentStartChecker {
 public:
  explicit DependentStartChecker(ClusterState& state) : state_(state) {}

  void start() { ctas_.assign(state_.ctas, {}); }
  // These are before the launch, so that there is something to wait for.
  void wait(ThreadId thread) {
    if (state_.launch.neighbors.empty()) return;
    state_.order.acquire(thread, earlier_launches, 1);
    ctas_[thread.rank].waits = true;
    found_.waits = true;
  }
  void let_start(ThreadId thread) {
    found_.is_let = true;
    if (!state_.order.knows(thread, earlier_launches, 1)) ctas_[thread.rank].lets_before = true;
  }
  void end_cta(std::uint16_t rank) {
    const Cta& cta = ctas_[rank];
    if (cta.waits && !cta.lets_before) found_.is_let_after_wait = true;
  }
  const DependentStart& found() const { return found_; }

 private:
  struct Cta {
    bool waits = false;
    bool lets_before = false;  // of a thread that does not know that somebody has waited
  };

  ClusterState& state_;
  std::vector<Cta> ctas_;
  DependentStart found_;
};

}  // namespace tmaemu::check
