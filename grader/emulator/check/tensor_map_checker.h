// Tensor maps that a kernel changes in global memory: whether who uses one may count on the change.
// PTX ISA, "Proxies" and "membar/fence": the engine reads maps through a proxy of its own, so
// between a change and a use lie a release and an acquire of that proxy, each ordered behind the
// other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/heard_flags.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class TensorMapChecker {
 public:
  TensorMapChecker(ClusterState& state, const HeardFlags& heard_flags)
      : state_(state), heard_flags_(heard_flags) {}

  void start() { acquired_.clear(); }
  void acquire(const events::TensorMapUse& acquire);
  void use(const events::TensorMapUse& use);

 private:
  // A fence that lets a thread's CTA use the map as it was released by then.
  struct Acquired {
    Action action;
    SharedClocks known;
    Scope scope;
  };
  void check(const events::TensorMapUse& use, const PastAccess& change, unsigned lane);

  ClusterState& state_;
  const HeardFlags& heard_flags_;
  std::map<std::uint64_t, std::vector<Acquired>> acquired_;  // by the map's address
};

}  // namespace tmaemu::check
