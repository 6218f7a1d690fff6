// PTX's causality order, as the threads of one cluster come to know it.
// PTX ISA, "Memory Consistency Model": "Causality order", "Release and Acquire patterns".
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "emulator/check/clock.h"
#include "emulator/model/ids.h"
#include "emulator/order/shared_knowledge.h"

namespace tmaemu::check {

// What threads have released into one object: a flag, a barrier, the phase of an mbarrier.
class Released : public ReleasedKnowledge<Knowledge> {
 public:
  void add(const Actor& actor, Time time) { change()[View::done].add(actor, time); }
  // What has happened, without an order of memory.
  void mention(const Known& other);
  void mention(const Actor& actor, Time time) { change()[View::heard].add(actor, time); }
  void clear() {
    ReleasedKnowledge::clear();
    last_mentioned_ = nullptr;
  }

 private:
  Known last_mentioned_;
};

class Order {
 public:
  Order(unsigned ctas, unsigned threads_per_cta);
  // A cluster begins; `first`: the number in the grid of the CTA of each rank.
  void start(std::span<const std::uint32_t> numbers);

  std::uint32_t cta(std::uint16_t rank) const { return ctas_[rank]; }
  // Whether no thread has learned anything yet.
  bool is_pristine() const { return is_pristine_; }
  Actor actor(ThreadId thread, Actor::Track track = Actor::Track::thread) const {
    return {ctas_[thread.rank], thread.index, track};
  }
  // The moment that what the thread does now carries. The threads of a warp have one.
  Time now(ThreadId thread) const { return warps_[warp(thread)]; }
  const Known& known(ThreadId thread) const { return threads_[slot(thread)]; }
  // Of another actor than the thread itself.
  bool knows(ThreadId thread, const Actor& actor, Time time) const {
    return (*known(thread))[View::done].knows(actor, time);
  }

  // Whether that must have happened before what the thread does now, in whatever way it came to
  // hear of it: an order of events, which memory need not follow.
  bool has_heard(ThreadId thread, const Actor& actor, Time time) const {
    return has_heard(*known(thread), actor, time);
  }
  static bool has_heard(const Knowledge& knowledge, const Actor& actor, Time time) {
    return std::ranges::any_of(ways_to_hear,
                               [&](View view) { return knowledge[view].knows(actor, time); });
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
  Known snapshot(ThreadId thread);
  // Acquire: `thread` learns what `object` holds.
  void learn(ThreadId thread, const Known& object);
  void learn(ThreadId thread, const Actor& actor, Time time);
  // What the thread does from here on is told from what it did before; the moment at which that
  // begins.
  Time begin_moment(ThreadId thread) {
    advance(thread);
    return now(thread);
  }
  // A relaxed read has found this: no order yet.
  void see(ThreadId thread, const Known& object);
  // The same two where nothing is released or acquired, and one only hears of the other.
  void tell(ThreadId thread, Released& object);
  void hear(ThreadId thread, const Known& object);
  // A barrier: those who `wait` learn what those who arrived did.
  void synchronize(std::span<const ThreadId> arrived, std::span<const ThreadId> waiting);
  // Lanes that exchange values: each learns what the others know of other threads, and nothing of
  // what they did themselves. PTX orders no memory there; but one lane that acquires for its warp
  // and tells the others by a shuffle is what cooperative groups do.
  void share(std::span<const ThreadId> lanes);
  // Whether both, lanes of one warp, have exchanged values since that moment. What one of them read
  // before, it has read.
  bool have_exchanged(ThreadId thread, ThreadId other, Time since) const {
    if (thread.rank != other.rank || thread.index / warp_size != other.index / warp_size)
      return false;
    const Exchange& last = exchanges_[warp(thread)];
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
  // The exchange of a warp that one of its lanes is to tell of.
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
  // What the lanes that the thread has exchanged values with did before becomes part of its
  // knowledge, which it is about to hand on.
  void take_exchange(ThreadId thread);
  void set(ThreadId thread, Known known) {
    threads_[slot(thread)] = std::move(known);
    is_pristine_ = false;
  }
  // The thread's later acts are told from those so far.
  void advance(ThreadId thread) { warps_[warp(thread)] = ++now_; }

  unsigned threads_per_cta_;
  unsigned warps_per_cta_;
  Time now_ = 1;
  std::vector<std::uint32_t> ctas_;  // by rank: the number in the grid
  std::vector<Time> warps_;
  std::vector<Exchange> exchanges_;  // the last one of each warp
  std::vector<Known> threads_;
  bool is_pristine_ = true;
  LastLearned<Knowledge> last_learned_;
  LastLearned<Knowledge> last_heard_;
  LastLearned<Knowledge, Taken> last_taken_;  // the lanes of a warp nearly always know the same
};

}  // namespace tmaemu::check
