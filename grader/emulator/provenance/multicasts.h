// Whether what multicast loads bring is read in several CTAs. A load that fills the shared memory
// of CTAs which never look at it has saved none of them a load.
//
// A word of the tile is enough: what a CTA does with it is not asked.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "emulator/model/events.h"

namespace tmaemu::provenance {

// Those of one cluster that two CTAs have not read yet.
class Multicasts {
 public:
  // A load, and whether two CTAs have read what it brought.
  using Settle = std::function<void(const events::Bulk& load, bool is_shared)>;
  explicit Multicasts(Settle settle) : settle_(std::move(settle)) {}

  void issues(const events::Bulk& load);
  // Whether none is left: then no read says anything.
  bool is_empty() const { return landings_.empty(); }
  // In a CTA, by itself: shared::cluster addresses.
  void reads(std::uint32_t shared, std::uint64_t bytes);
  void cluster_ends();

 private:
  struct Landing {
    events::Bulk load;
    std::vector<events::GlobalRange> global;  // that the load has
    std::uint32_t readers = 0;                // a bit for each CTA
  };
  void settle(Landing& landing, bool is_shared);

  Settle settle_;
  std::vector<Landing> landings_;
};

}  // namespace tmaemu::provenance
