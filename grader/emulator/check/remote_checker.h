// What the checker looks after of accesses to the shared memory of other CTAs: that these run.
// CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class RemoteChecker {
 public:
  explicit RemoteChecker(ClusterState& state) : state_(state), accesses_(state.ctas) {}

  void start() {
    for (Accesses& accesses : accesses_) accesses = {};
  }
  // To shared memory, be it a CTA's own or another's.
  void access(const events::Access& access);
  // `last`: what the threads of the CTA knew when the last of them ended.
  void end_cta(std::uint16_t rank, const Clocks& last);

 private:
  // The last one of each thread of another CTA.
  struct Accesses {
    std::unordered_map<std::uint32_t, Action> reads, writes;  // by thread
  };

  ClusterState& state_;
  std::vector<Accesses> accesses_;  // by the rank of the CTA whose memory it is
};

}  // namespace tmaemu::check
