// Vector clocks of the checker: what is known to be done, of threads and of what they have others
// do for them; and all that a thread knows.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "emulator/order/basic_vector_clock.h"

namespace tmaemu::check {

// A moment of an actor.
using Time = Epoch;

// What does things one after another.
struct Actor {
  enum class Track : std::uint8_t {
    thread,           // what a thread itself does
    initializations,  // its mbarrier.init, as far as a fence.mbarrier_init has made them visible
    bulk_reads,       // its bulk async-groups, until their sources are read,
    bulk_writes,      // and until they are done
    copies,           // its cp.async
    phases,           // the phases of an mbarrier
    products,         // the wgmma of a warpgroup, by its first thread
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

// What is known of every thread of a CTA, by the CTA's number in the grid, of which there are many.
class CtaFloors {
 public:
  using Actor = check::Actor;
  using Cta = std::uint32_t;
  struct Floor {
    Cta cta;
    Time time;
  };

  static Cta cta_of(const Actor& actor) { return actor.cta; }
  static Actor first_of(Cta cta) { return {cta, 0}; }
  static bool has_floor(const Actor& actor) { return actor.track == Actor::Track::thread; }

  Time at(Cta cta) const {
    if (floors_.size() == 1) return floors_.front().cta == cta ? floors_.front().time : 0;
    const auto found = std::ranges::lower_bound(floors_, cta, {}, &Floor::cta);
    return found != floors_.end() && found->cta == cta ? found->time : 0;
  }
  bool raise(Cta cta, Time time);
  bool join(const CtaFloors& others);
  bool cover(const CtaFloors& others) const;
  template <class Holds>
  bool all_of(Holds holds) const {
    return std::ranges::all_of(floors_,
                               [&](const Floor& floor) { return holds(floor.cta, floor.time); });
  }
  template <class IsOut>
  void erase_if(IsOut is_out) {
    std::erase_if(floors_, [&](const Floor& floor) { return is_out(floor.cta); });
  }
  void clear() { floors_.clear(); }
  bool is_empty() const { return floors_.empty(); }

 private:
  // Where others have so few floors that each is looked for by halves, and not from one to the
  // next.
  bool has_many_more(const CtaFloors& others) const {
    return floors_.size() > 16 * others.floors_.size();
  }

  std::vector<Floor> floors_;  // sorted by CTA
};

// The clock of all that acts in a grid.
class Clock : public BasicVectorClock<CtaFloors> {
 public:
  // All that every thread of the CTA did up to `time`, as one number says it.
  bool knows_all_of(std::uint32_t cta, Time time) const { return time <= floors_.at(cta); }
  // Anything that a thread of the CTA did.
  bool knows_any_of(std::uint32_t cta) const;
  // Joins what another clock does not know already.
  void join_unknown(const Clock& other, const Clock& known);
  // Joins what others than the CTA's own threads did.
  void join_others(const Clock& other, std::uint32_t cta);
  // What CTAs did that `is_wanted` holds for.
  Clock of(const std::function<bool(std::uint32_t)>& is_wanted) const;
  // Where each of the CTA's threads is known by itself, one number takes their place.
  void gather(std::uint32_t cta, unsigned threads);
};

// What a thread may know of an act is more than that it is done. PTX ISA, "Proxies": what is done
// through the generic proxy is seen by the async proxy only if a proxy fence lies between. What
// such fences have covered travels from thread to thread like everything else, so each view of what
// was done is a clock of its own.
//
//   done                      It is done, and memory shows it to the generic proxy.
//   Of what is done, what fences have covered:
//   fenced_own                what the async proxy sees in the shared memory of its own CTA,
//   fenced_shared             in that of the cluster,
//   fenced_global             and in global memory;
//   released_maps             the changes of tensor maps that were released,
//   released_maps_in_cta      and those that were released for their own CTA only;
//   fenced_memory             what a fence.sc of the GPU or the system covers. "Write,
//                             __threadfence(), __syncthreads(), and one thread sets a flag": PTX
//                             ISA, "Fence-SC", orders that fence before the one of who reads the
//                             flag.
//   fenced_memory_in_cta      The same of one whose scope is the CTA
//   fenced_memory_in_cluster  or the cluster, for flags that are read there.
//   And besides:
//   fenced_received           what the async proxy sees of what other CTAs did in the shared memory
//                             of the CTA that fenced;
//   seen                      what a relaxed read has found, for a fence.sc of whoever knows of it;
//   happened                  what must have happened, though nothing orders memory after it:
//                             relaxed arrivals order events, too, and so do the bytes that TMA
//                             operations bring;
//   exchanged                 what lanes had done when they exchanged values with one that has told
//                             of it since: what they read before, they have read.
enum class View : std::uint8_t {
  done,
  fenced_own,
  fenced_shared,
  fenced_global,
  released_maps,
  released_maps_in_cta,
  fenced_memory,
  fenced_memory_in_cta,
  fenced_memory_in_cluster,
  fenced_received,
  seen,
  happened,
  exchanged,
};
inline constexpr std::size_t view_count = static_cast<std::size_t>(View::exchanged) + 1;

// Whether it is of what fences of the acting threads have covered.
constexpr bool is_of_fences(View view) {
  return view >= View::fenced_own && view <= View::fenced_memory_in_cluster;
}
// In which views an act is known to have happened, whether memory shows it or not.
inline constexpr std::array views_of_happened = {View::done, View::happened, View::exchanged};

// The clocks of a thread, one for each view.
class Clocks {
 public:
  Clock& operator[](View view) { return clocks_[static_cast<std::size_t>(view)]; }
  const Clock& operator[](View view) const { return clocks_[static_cast<std::size_t>(view)]; }

  void join(const Clocks& other) {
    for (std::size_t i = 0; i < view_count; ++i) clocks_[i].join(other.clocks_[i]);
  }
  // Whether all that `other` knows is known here, too.
  bool covers(const Clocks& other) const {
    for (std::size_t i = 0; i < view_count; ++i) {
      if (!clocks_[i].covers(other.clocks_[i])) return false;
    }
    return true;
  }
  // Nothing is known; the memory is kept for what will be.
  void clear() {
    for (Clock& clock : clocks_) clock.clear();
  }
  // Each of the CTA's threads has come to one barrier: where all are known, one number says so.
  void gather_fences(std::uint32_t cta, unsigned threads) {
    for (std::size_t i = 0; i < view_count; ++i) {
      if (is_of_fences(static_cast<View>(i))) clocks_[i].gather(cta, threads);
    }
  }

 private:
  std::array<Clock, view_count> clocks_;
};

// Threads that acquired the same at the same time share them.
using SharedClocks = std::shared_ptr<const Clocks>;

}  // namespace tmaemu::check
