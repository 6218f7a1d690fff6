// What the TMA engine moves, and how much of it is under way at once.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/stats/counters.h"

namespace tmaemu {
struct BulkOperation;
}

namespace tmaemu::stats {

// The operations of one cluster.
class TmaCounter {
 public:
  TmaCounter(Counters& counters, std::size_t ctas) : counters_(counters), in_flight_(ctas) {}

  // A cluster starts: nothing is in flight.
  void reset();
  // In flight is a load until its bytes are in shared memory, a store until its bytes have been
  // read from there.
  void issued(const BulkOperation& operation);
  void done(const BulkOperation& operation);

 private:
  struct InFlight {
    std::uint64_t load = 0;
    std::uint64_t store = 0;
  };

  Counters& counters_;
  std::vector<InFlight> in_flight_;  // by the CTA's rank
};

}  // namespace tmaemu::stats
