// The hazard checker of one launch: reads its events, and reports what PTX's memory model does not
// order. handout/inside/hazard-checker.md says how.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/check/cluster_checker.h"
#include "emulator/check/execution_findings.h"
#include "emulator/check/launch_state.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class LaunchChecker final : public LaunchObserver {
 public:
  // `facts`: of the program. `neighbors`: launches that may still be running. `ran_before`: it is
  // not the program's first launch.
  LaunchChecker(const Program& program, const SiteFacts& facts, const LaunchRequest& request,
                const GlobalMemory& memory, FindingSink& sink, std::vector<Neighbor> neighbors,
                bool ran_before = false)
      : ran_before_(ran_before),
        state_(program, facts, request, memory, sink, std::move(neighbors)),
        of_execution_(sink, facts) {}

  // Where execution is to report what it finds by itself.
  FindingSink& findings_of_execution() { return of_execution_; }
  // When the launch has ended with a deadlock: adds what the checker knows of its cause.
  void explain(Finding& deadlock) const;

  // When the launch has ended without a fault: what is known then alone.
  void report_last(FindingSink& sink) const { state_.misses.report(sink); }

  // What the launch did to global memory.
  std::shared_ptr<GlobalHistory> global() const { return state_.global; }
  // What it did about the launch that comes next.
  DependentStart dependent_start() const;

  Observer& observe_cluster() override {
    const std::lock_guard lock(mutex_);
    return clusters_.emplace_back(state_);
  }

 private:
  const ClusterChecker* cluster_of(const Waiters& waiters) const;
  void name_root(Finding& deadlock) const;
  void explain_poll(const Waiters& waiters, Finding& deadlock) const;

  bool ran_before_;
  LaunchState state_;
  ExecutionFindings of_execution_;
  std::mutex mutex_;
  std::deque<ClusterChecker> clusters_;
};

}  // namespace tmaemu::check
