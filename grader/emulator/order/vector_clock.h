// The clocks of a cluster's threads: which of their writes happen before something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/model/ids.h"
#include "emulator/order/basic_vector_clock.h"

namespace tmaemu {

// What is known of every thread of a CTA, by the CTA's rank: a cluster has few, and they are asked
// for at every fence.
class RankFloors {
 public:
  using Actor = ThreadId;
  using Cta = std::uint16_t;

  static Cta cta_of(ThreadId thread) { return thread.rank; }
  static ThreadId first_of(Cta rank) { return {rank, 0}; }
  static constexpr bool has_floor(ThreadId) { return true; }

  Epoch at(Cta rank) const { return rank < floors_.size() ? floors_[rank] : 0; }
  bool raise(Cta rank, Epoch epoch) {
    if (epoch <= at(rank)) return false;
    if (floors_.size() <= rank) floors_.resize(rank + 1u, 0);
    floors_[rank] = epoch;
    return true;
  }
  bool join(const RankFloors& others) {
    bool is_raised = false;
    for (std::size_t rank = 0; rank < others.floors_.size(); ++rank) {
      is_raised |= raise(static_cast<Cta>(rank), others.floors_[rank]);
    }
    return is_raised;
  }
  bool cover(const RankFloors& others) const {
    for (std::size_t rank = 0; rank < others.floors_.size(); ++rank) {
      if (others.floors_[rank] > at(static_cast<Cta>(rank))) return false;
    }
    return true;
  }
  void clear() { floors_.clear(); }
  bool is_empty() const { return floors_.empty(); }

 private:
  std::vector<Epoch> floors_;
};

// Each write carries the epoch of the cluster in which it was made; epochs grow at every release.
using VectorClock = BasicVectorClock<RankFloors>;

// Threads that acquired the same at the same time share one clock.
using SharedClock = std::shared_ptr<const VectorClock>;

}  // namespace tmaemu
