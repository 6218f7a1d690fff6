// PTX's causality order among the threads of a cluster: who knows of whose writes.
// PTX ISA, "Memory Consistency Model": release and acquire patterns, barriers, mbarriers.
//
// Each write carries the stamp of the moment it was made; stamps grow at every release. A thread's
// Knowledge says, for every other thread, up to which stamp that thread's writes happen before
// whatever it does next. It is a vector clock, kept small by what programs do: after a CTA-wide
// barrier one number covers the whole CTA, and only threads that synchronised since stand apart.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "emulator/model/ids.h"

namespace tmaemu {

using Stamp = std::uint32_t;

class Knowledge {
 public:
  bool knows(ThreadId writer, Stamp stamp) const;
  // All writes of `writer` up to `stamp` are known from here on.
  void add(ThreadId writer, Stamp stamp);
  // All writes of every thread of the CTA up to `stamp` are known.
  void add_cta(std::uint16_t rank, Stamp stamp);
  void join(const Knowledge& other);
  // Whether all that `other` knows is known here, what `writer` wrote not counted.
  bool covers(const Knowledge& other, ThreadId writer) const;
  bool empty() const { return floors_.empty() && entries_.empty(); }
  // Nothing is known; the memory is kept for what will be.
  void clear();

 private:
  struct Entry {
    ThreadId thread;
    Stamp stamp;
  };
  Stamp floor(std::uint16_t rank) const { return rank < floors_.size() ? floors_[rank] : 0; }

  std::vector<Stamp> floors_;   // by rank: known of every thread of that CTA
  std::vector<Entry> entries_;  // sorted by thread: what is known beyond the floor
};

// The knowledge of every thread of one cluster. Threads that learnt the same share one object.
class Causality {
 public:
  Causality(unsigned ctas, unsigned threads_per_cta);

  // As at the start of a cluster: nobody knows anything of the others.
  void reset();

  // The stamp that writes made now carry.
  Stamp now() const { return now_; }

  // The reader's own writes are always known to it.
  bool knows(ThreadId reader, ThreadId writer, Stamp stamp) const {
    return reader == writer || knowledge(reader).knows(writer, stamp);
  }

  // The knowledge of `thread`, its own writes not counted. Threads that learnt the same at the same
  // time share one object.
  const Knowledge& knowledge(ThreadId thread) const { return *threads_[slot(thread)]; }

  // Release: what `thread` did and knows so far is added to `object` (an mbarrier, a flag).
  void release(ThreadId thread, Knowledge& object);
  // Acquire: `thread` learns what `object` holds.
  void acquire(ThreadId thread, const Knowledge& object);
  // A barrier that all threads of the CTA passed.
  void synchronise_cta(std::uint16_t rank);
  // A barrier that all threads of the cluster passed.
  void synchronise_cluster();
  // A barrier among some threads: named barriers, bar.warp.sync.
  void synchronise(std::span<const ThreadId> threads);

 private:
  using Shared = std::shared_ptr<const Knowledge>;
  std::size_t slot(ThreadId thread) const {
    return std::size_t{thread.rank} * threads_per_cta_ + thread.index;
  }

  unsigned threads_per_cta_;
  Stamp now_ = 1;
  std::vector<Shared> threads_;
};

}  // namespace tmaemu
