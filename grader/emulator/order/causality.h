// PTX's causality order among the threads of a cluster: who knows of whose writes.
// PTX ISA, "Memory Consistency Model": release and acquire patterns, barriers, mbarriers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "emulator/order/shared_clock.h"
#include "emulator/order/vector_clock.h"

namespace tmaemu {

// What threads of the cluster have released into one object.
class ReleasedClock : public SharedRelease<VectorClock> {
 public:
  // `thread`, which knows what `known` holds, releases its writes up to `epoch`.
  void release(ThreadId thread, Epoch epoch, const SharedClock& known) {
    // Nothing is known to threads that only ever waited for what they arrived at themselves.
    if (!known->is_empty()) join(known);
    change().add(thread, epoch);
  }
};

// The clock of every thread of one cluster.
class Causality {
 public:
  Causality(unsigned ctas, unsigned threads_per_cta);

  // As at the start of a cluster: nobody knows anything of the others.
  void reset();

  // The epoch that writes made now carry.
  Epoch now() const { return now_; }

  // The reader's own writes are always known to it.
  bool knows(ThreadId reader, ThreadId writer, Epoch epoch) const {
    return reader == writer || clock(reader).knows(writer, epoch);
  }

  // What `thread` knows, its own writes not counted. Threads that acquired the same at the same
  // time share one object.
  const VectorClock& clock(ThreadId thread) const { return *threads_[slot(thread)]; }

  // Release: what `thread` did and knows so far is added to `object`.
  void release(ThreadId thread, ReleasedClock& object);
  // Acquire: what `object` holds is joined with the clock of `thread`.
  void acquire(ThreadId thread, const ReleasedClock& object);
  // A barrier that all threads of the CTA passed.
  void synchronize_cta(std::uint16_t rank);
  // A barrier that all threads of the cluster passed.
  void synchronize_cluster();
  // A barrier among some threads: named barriers, bar.warp.sync.
  void synchronize(std::span<const ThreadId> threads);

 private:
  std::size_t slot(ThreadId thread) const {
    return std::size_t{thread.rank} * threads_per_cta_ + thread.index;
  }

  unsigned threads_per_cta_;
  Epoch now_ = 1;
  SharedClock nothing_ = std::make_shared<const VectorClock>();
  std::vector<SharedClock> threads_;
  LastAcquired<VectorClock> last_;
};

}  // namespace tmaemu
