// A vector clock: which writes of which threads happen before something.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/model/ids.h"

namespace tmaemu {

// A moment in a cluster. Each write carries the epoch in which it was made; epochs grow at every
// release.
using Epoch = std::uint32_t;

// For every thread of a cluster the epoch up to which its writes are known. It is kept small by
// what programs do: after a CTA-wide barrier one number covers the whole CTA, and only threads that
// synchronized since stand apart.
class VectorClock {
 public:
  bool knows(ThreadId writer, Epoch epoch) const;
  // All writes of `writer` up to `epoch` are known from here on.
  void add(ThreadId writer, Epoch epoch);
  // All writes of every thread of the CTA up to `epoch` are known.
  void add_cta(std::uint16_t rank, Epoch epoch);
  void join(const VectorClock& other);
  // Whether all that `other` knows is known here, what `writer` wrote not counted.
  bool covers(const VectorClock& other, ThreadId writer) const;
  // Nothing is known; the memory is kept for what will be.
  void clear();
  bool is_empty() const { return floors_.empty() && entries_.empty(); }

 private:
  struct Entry {
    ThreadId thread;
    Epoch epoch;
  };
  Epoch floor(std::uint16_t rank) const { return rank < floors_.size() ? floors_[rank] : 0; }

  std::vector<Epoch> floors_;   // by rank: known of every thread of that CTA
  std::vector<Entry> entries_;  // sorted by thread: what is known beyond the floor
};

// Threads that learned the same at the same time share one clock.
using SharedClock = std::shared_ptr<const VectorClock>;

}  // namespace tmaemu
