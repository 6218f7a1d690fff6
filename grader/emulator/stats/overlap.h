// Which loads into shared memory the CTAs of a cluster have in flight, as far as their threads
// know: not when the engine acts, but from the instruction that starts a load to the wait that ends
// it. A timing policy still shows, where it decides which of several warps goes on first.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/model/ids.h"

namespace tmaemu::stats {

class Overlap {
 public:
  void cluster_starts() { ctas_.clear(); }

  void issues(const events::Bulk& load);
  // cp.async.mbarrier.arrive: the thread's copies so far are in flight until that phase is seen.
  void orders_arrival(std::uint32_t mbarrier);
  void sees_phase(std::uint32_t mbarrier);
  void commits_copies(ThreadId thread);
  void awaits_copies(const events::Groups& wait);

  bool has_loads_in_flight(std::uint32_t rank) const {
    return rank < ctas_.size() && (ctas_[rank].threads != 0 || !ctas_[rank].mbarriers.empty());
  }

 private:
  struct Cta {
    std::set<std::uint32_t> mbarriers;            // their offsets: of loads that they wait for
    std::array<std::uint16_t, 1024> groups = {};  // by thread: of cp.async
    unsigned threads = 0;                         // that have some
  };
  Cta& cta(std::uint32_t rank);

  std::vector<Cta> ctas_;
};

}  // namespace tmaemu::stats
