// Vector clocks of the checker: what is known to be done, of threads and of what they have others
// do for them.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tmaemu::check {

// A moment of an actor. Moments grow.
using Time = std::uint32_t;

// What does things one after another.
struct Actor {
  enum class Track : std::uint8_t {
    thread,           // what a thread itself does
    initializations,  // its mbarrier.init, as far as a fence.mbarrier_init has made them visible
    bulk_reads,       // its bulk async-groups, until their sources are read,
    bulk_writes,      // and until they are done
    copies,           // its cp.async
    phases,           // the phases of an mbarrier
  };
  std::uint32_t cta = 0;    // its number in the grid
  std::uint16_t index = 0;  // of the thread, or of the mbarrier, in the CTA
  Track track = Track::thread;
  // Compared as one number, since the checker does little else as often.
  std::uint64_t number() const {
    return std::uint64_t{cta} << 32 | std::uint64_t{index} << 16 |
           static_cast<std::uint64_t>(track);
  }
  auto operator<=>(const Actor& other) const { return number() <=> other.number(); }
  bool operator==(const Actor& other) const { return number() == other.number(); }
};

// For every actor the moment up to which it is known. Kept small by what programs do: after a
// barrier of the whole CTA one number covers all of its threads.
class Clock {
 public:
  bool knows(const Actor& actor, Time time) const;
  // All that every thread of the CTA did up to `time`, as one number says it.
  bool knows_all_of(std::uint32_t cta, Time time) const { return time <= floor(cta); }
  // Anything that a thread of the CTA did.
  bool knows_any_of(std::uint32_t cta) const;
  void add(const Actor& actor, Time time);
  // All that the threads of the CTA did up to `time`.
  void add_cta(std::uint32_t cta, Time time);
  void join(const Clock& other);
  // The same without what another clock knows already.
  void join_unknown(const Clock& other, const Clock& known);
  // The same without what the CTA's own threads did.
  void join_others(const Clock& other, std::uint32_t cta);
  // What CTAs did that `is_wanted` holds for.
  Clock of(const std::function<bool(std::uint32_t)>& is_wanted) const;
  bool is_empty() const { return floors_.empty() && entries_.empty(); }
  // Whether all that `other` knows is known here, too.
  bool covers(const Clock& other) const;
  // Where each of the CTA's threads is known by itself, one number takes their place.
  void gather(std::uint32_t cta, unsigned threads);

 private:
  struct Floor {
    std::uint32_t cta;
    Time time;
  };
  struct Entry {
    Actor actor;
    Time time;
  };
  template <class Iterator>
  static Iterator find_from(Iterator near, Iterator end, const Actor& actor);
  void join_entries(const std::vector<Entry>& others);
  Time floor(std::uint32_t cta) const;
  bool is_below_floor(const Entry& entry) const {
    return entry.actor.track == Actor::Track::thread && entry.time <= floor(entry.actor.cta);
  }

  std::vector<Floor> floors_;   // sorted by CTA
  std::vector<Entry> entries_;  // sorted by actor; of threads, what is beyond the floor
};

// All that a thread knows. PTX ISA, "Proxies": what is done through the generic proxy is seen by
// the async proxy only if a proxy fence lies between; what such fences have covered travels from
// thread to thread like everything else.
struct Knowledge {
  Clock done;
  Clock fenced_own;     // of `done`, what the async proxy sees in the shared memory of its own CTA,
  Clock fenced_shared;  // in that of the cluster,
  Clock fenced_global;  // and in global memory
  Clock fenced_received;       // of what other CTAs did in the shared memory of the CTA that fenced
  Clock released_maps;         // of `done`, the changes of tensor maps that were released,
  Clock released_maps_in_cta;  // and those that were released for their own CTA only
  // Of `done`, what a fence.sc of the GPU or the system covers. "Write, __threadfence(),
  // __syncthreads(), and one thread sets a flag": PTX ISA, "Fence-SC", orders that fence before the
  // one of who reads the flag.
  Clock fenced_memory;
  // The same of one whose scope is the CTA or the cluster, for flags that are read there.
  Clock fenced_memory_in_cta;
  Clock fenced_memory_in_cluster;
  // And the other way round: what a relaxed read has found, for a fence.sc of whoever knows of it.
  Clock seen;
  // What must have happened, though nothing orders memory after it: threads hear of one another
  // also by relaxed arrivals and by the bytes that TMA operations bring.
  Clock heard;
  // What lanes had done when they exchanged values with one that has told of it since: what they
  // read before, they have read.
  Clock exchanged;

  void join(const Knowledge& other) {
    done.join(other.done);
    fenced_own.join(other.fenced_own);
    fenced_shared.join(other.fenced_shared);
    fenced_global.join(other.fenced_global);
    fenced_received.join(other.fenced_received);
    released_maps.join(other.released_maps);
    released_maps_in_cta.join(other.released_maps_in_cta);
    fenced_memory.join(other.fenced_memory);
    fenced_memory_in_cta.join(other.fenced_memory_in_cta);
    fenced_memory_in_cluster.join(other.fenced_memory_in_cluster);
    seen.join(other.seen);
    heard.join(other.heard);
    exchanged.join(other.exchanged);
  }
  bool covers(const Knowledge& other) const {
    return done.covers(other.done) && fenced_own.covers(other.fenced_own) &&
           fenced_shared.covers(other.fenced_shared) && fenced_global.covers(other.fenced_global) &&
           fenced_received.covers(other.fenced_received) &&
           released_maps.covers(other.released_maps) &&
           released_maps_in_cta.covers(other.released_maps_in_cta) &&
           fenced_memory.covers(other.fenced_memory) &&
           fenced_memory_in_cta.covers(other.fenced_memory_in_cta) &&
           fenced_memory_in_cluster.covers(other.fenced_memory_in_cluster) &&
           seen.covers(other.seen) && heard.covers(other.heard) &&
           exchanged.covers(other.exchanged);
  }
};

// Threads that learned the same at the same time share one object.
using Known = std::shared_ptr<const Knowledge>;

}  // namespace tmaemu::check
