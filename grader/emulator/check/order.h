// PTX's causality order, as the threads of one cluster come to know it.
// PTX ISA, "Memory Consistency Model": "Causality order", "Release and Acquire patterns".
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "emulator/check/clock.h"
#include "emulator/model/ids.h"
#include "emulator/order/shared_clock.h"

namespace tmaemu::check {

// What threads have released into one object: a flag, a barrier, the phase of an mbarrier.
class Released : public SharedRelease<Clocks> {
 public:
  void add(const Actor& actor, Time time) { change()[View::done].add(actor, time); }
  // What has happened, without an order of memory.
  void add_happened(const SharedClocks& other);
  void add_happened(const Actor& actor, Time time) { change()[View::happened].add(actor, time); }
  void clear() {
    SharedRelease::clear();
    last_happened_ = nullptr;
  }

 private:
  SharedClocks last_happened_;
};

class Order {
 public:
  Order(unsigned ctas, unsigned threads_per_cta);
  // A cluster begins; `first`: the number in the grid of the CTA of each rank.
  void start(std::span<const std::uint32_t> numbers);

  std::uint32_t cta(std::uint16_t rank) const { return ctas_[rank]; }
  // Whether no thread has acquired anything yet.
  bool is_pristine() const { return is_pristine_; }
  Actor actor(ThreadId thread, Actor::Track track = Actor::Track::thread) const {
    return {ctas_[thread.rank], thread.index, track};
  }
  // The moment that what the thread does now carries. The threads of a warp have one.
  Time now(ThreadId thread) const { return warps_[warp(thread)].now; }
  const SharedClocks& known(ThreadId thread) const {
    const Warp& all = warps_[warp(thread)];
    return (all.apart >> thread.index % warp_size & 1) == 0 ? all.known : threads_[slot(thread)];
  }
  // Whether all lanes of the thread's warp know the same, as far as that is seen at a glance.
  bool is_of_one_mind(ThreadId thread) const { return warps_[warp(thread)].apart == 0; }
  // Of another actor than the thread itself.
  bool knows(ThreadId thread, const Actor& actor, Time time) const {
    return (*known(thread))[View::done].knows(actor, time);
  }

  // Whether that must have happened before what the thread does now, in whatever way: an order of
  // events, which memory need not follow.
  bool has_happened(ThreadId thread, const Actor& actor, Time time) const {
    return has_happened(*known(thread), actor, time);
  }
  static bool has_happened(const Clocks& clocks, const Actor& actor, Time time) {
    return std::ranges::any_of(views_of_happened,
                               [&](View view) { return clocks[view].knows(actor, time); });
  }
  // Whether what `other` read then has been read before what the thread does now.
  bool has_been_read(ThreadId thread, ThreadId other, Time time) const {
    const Actor reader = actor(other);
    return knows(thread, reader, time) || (*known(thread))[View::exchanged].knows(reader, time) ||
           have_exchanged(thread, other, time);
  }

  // Release: what `thread` did and knows so far is added to `object`.
  void release(ThreadId thread, Released& object);
  // What it would release now, as an object of its own.
  SharedClocks snapshot(ThreadId thread);
  // Acquire: what `object` holds is joined with the clocks of `thread`.
  void acquire(ThreadId thread, const SharedClocks& object);
  void acquire(ThreadId thread, const Actor& actor, Time time);
  // What the thread does from here on is told from what it did before; the moment at which that
  // begins.
  Time begin_moment(ThreadId thread) {
    advance(thread);
    return now(thread);
  }
  // A relaxed read has found this: no order yet.
  void see(ThreadId thread, const SharedClocks& object);
  // A relaxed arrival and a relaxed wait, which order events and no memory.
  void arrive_relaxed(ThreadId thread, Released& object);
  void wait_relaxed(ThreadId thread, const SharedClocks& object);
  // A barrier: those who `wait` acquire what those who arrived did.
  void synchronize(std::span<const ThreadId> arrived, std::span<const ThreadId> waiting);
  // Lanes that exchange values: each acquires what the others know of other threads, and nothing of
  // what they did themselves. PTX orders no memory there; but one lane that acquires for its warp
  // and passes it on by a shuffle is what cooperative groups do.
  void share(std::span<const ThreadId> lanes);
  // Whether both, lanes of one warp, have exchanged values since that moment. What one of them read
  // before, it has read.
  bool have_exchanged(ThreadId thread, ThreadId other, Time since) const {
    if (thread.rank != other.rank || thread.index / warp_size != other.index / warp_size)
      return false;
    const Exchange& last = warps_[warp(thread)].exchange;
    const auto bit = [](ThreadId lane) { return LaneMask{1} << lane.index % warp_size; };
    return last.time >= since && (last.lanes & bit(thread)) != 0 && (last.lanes & bit(other)) != 0;
  }
  // A fence by lanes of a warp: it covers what each of them did and knows, in these views.
  void fence(std::span<const ThreadId> lanes, std::initializer_list<View> views);

 private:
  struct Exchange {
    LaneMask lanes = 0;
    Time time = 0;
    bool operator==(const Exchange&) const = default;
  };
  struct Warp {
    Time now = 1;
    Exchange exchange;   // the last one
    SharedClocks known;  // by all lanes
    LaneMask apart = 0;  // but for these, each of which has clocks of its own
  };
  // The exchange of a warp that one of its lanes is about to release.
  struct Taken {
    std::size_t warp = 0;
    Exchange exchange;
    bool operator==(const Taken&) const = default;
  };
  std::size_t slot(ThreadId thread) const {
    return std::size_t{thread.rank} * threads_per_cta_ + thread.index;
  }
  std::size_t warp(ThreadId thread) const {
    return std::size_t{thread.rank} * warps_per_cta_ + thread.index / warp_size;
  }
  // What the lanes did before with which the thread has exchanged values becomes part of its
  // clocks, which it is about to release.
  void take_exchange(ThreadId thread);
  void set(ThreadId thread, SharedClocks known);
  // The threads, in ascending order, know the same.
  void set(std::span<const ThreadId> threads, const SharedClocks& known);
  // The lanes that the thread's warp has.
  LaneMask lanes_of(ThreadId thread) const {
    const unsigned first = thread.index / warp_size * warp_size;
    const unsigned count = std::min(warp_size, threads_per_cta_ - first);
    return all_lanes >> (warp_size - count);
  }
  // Calls visit(threads) for some after others of the threads: those of a whole warp together,
  // where they follow one another, else each by itself.
  template <class Visit>
  void for_each_warp(std::span<const ThreadId> threads, Visit visit) const {
    while (!threads.empty()) {
      const ThreadId first = threads.front();
      const auto all = static_cast<std::size_t>(std::popcount(lanes_of(first)));
      const bool is_whole = first.index % warp_size == 0 && threads.size() >= all &&
                            threads[all - 1].rank == first.rank &&
                            threads[all - 1].index == first.index + all - 1;
      const std::size_t count = is_whole ? all : 1;
      visit(threads.first(count));
      threads = threads.subspan(count);
    }
  }
  // The thread's later acts are told from those so far.
  void advance(ThreadId thread) { warps_[warp(thread)].now = ++now_; }

  unsigned threads_per_cta_;
  unsigned warps_per_cta_;
  Time now_ = 1;
  std::vector<std::uint32_t> ctas_;  // by rank: the number in the grid
  std::vector<Warp> warps_;
  std::vector<SharedClocks> threads_;  // of those that stand apart in their warps
  bool is_pristine_ = true;
  LastAcquired<Clocks> last_acquired_;
  LastAcquired<Clocks> last_happened_;
  LastAcquired<Clocks, Taken> last_taken_;  // the lanes of a warp nearly always know the same
};

}  // namespace tmaemu::check
