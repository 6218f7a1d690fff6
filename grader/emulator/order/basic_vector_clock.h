// A vector clock: which acts of which actors happen before something. Written once for all who keep
// clocks: execution, of the writes of a cluster's threads, and the hazard checker, of all that acts
// in a grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tmaemu {

// A moment. Moments grow.
using Epoch = std::uint32_t;

// For every actor the moment up to which its acts are known. It is kept small by what programs do:
// after a barrier of a whole CTA one number, the CTA's floor, covers all of its threads, and only
// actors that synchronized since stand apart.
//
// `Floors` holds the floors and says who the actors are:
//   Actor                 what acts, in an order that keeps those of one CTA together
//   Cta                   how a CTA is named
//   cta_of(actor)         the CTA that it is of
//   first_of(cta)         the first actor of a CTA
//   has_floor(actor)      whether it is one of the threads of which a floor speaks
//   at(cta)               the floor; 0 where there is none
//   raise(cta, time)      whether the floor was lower
//   join(others)          raises those that others have higher; whether there were any
//   cover(others)         whether none of the others is higher
//   clear(), is_empty()
template <class Floors>
class BasicVectorClock {
 public:
  using Actor = typename Floors::Actor;
  using Cta = typename Floors::Cta;

  bool knows(const Actor& actor, Epoch time) const {
    if (is_below_floor(actor, time)) return true;
    const auto entry = find_by_index(entries_, actor);
    return entry != entries_.end() && entry->actor == actor && time <= entry->time;
  }
  // What the actor did up to `time` is known from here on.
  void add(const Actor& actor, Epoch time);
  // What every thread of the CTA did.
  void add_cta(Cta cta, Epoch time);
  void join(const BasicVectorClock& other) {
    if (floors_.join(other.floors_)) leave_out_below_floors();
    join_entries(other.entries_);
  }
  // Whether all that `other` knows is known here, too.
  bool covers(const BasicVectorClock& other) const {
    return covers_where(other, [](const Actor&) { return true; });
  }
  // The same, what `actor` did not counted.
  bool covers(const BasicVectorClock& other, const Actor& actor) const {
    return covers_where(other, [&](const Actor& theirs) { return !(theirs == actor); });
  }
  bool is_empty() const { return floors_.is_empty() && entries_.empty(); }
  // Nothing is known; the memory is kept for what will be.
  void clear() {
    floors_.clear();
    entries_.clear();
  }

 protected:
  struct Entry {
    Actor actor;
    Epoch time;
  };
  using Entries = std::vector<Entry>;

  // The first of the entries whose actor is not before this one. The checker does nothing else as
  // often, and of a branch at each step the processor would guess half wrong: so each step adds
  // something or nothing.
  template <class Sorted>
  static auto find(Sorted& entries, const Actor& actor) {
    auto first = entries.begin();
    std::size_t count = entries.size();
    while (count > 1) {
      const std::size_t half = count / 2;
      first += first[half - 1].actor < actor ? half : 0;
      count -= half;
    }
    return count == 1 && first->actor < actor ? first + 1 : first;
  }
  // The same. Where all threads of a CTA arrive at one mbarrier, a clock knows each of them, and an
  // actor is where its index says, or a little behind that.
  template <class Sorted>
  static auto find_by_index(Sorted& entries, const Actor& actor) {
    constexpr std::size_t few = 4;
    const std::size_t end = std::min(entries.size(), std::size_t{actor.index} + few);
    for (std::size_t place = actor.index; place < end; ++place) {
      if (entries[place].actor == actor) {
        return entries.begin() + static_cast<std::ptrdiff_t>(place);
      }
    }
    return find(entries, actor);
  }
  // The same among those from `near` on: nearly always `near` itself or the next one, since clocks
  // know of the same actors.
  template <class Iterator>
  static Iterator find_from(Iterator near, Iterator end, const Actor& actor) {
    if (near == end || !(near->actor < actor)) return near;
    ++near;
    if (near == end || !(near->actor < actor)) return near;
    return std::ranges::lower_bound(near, end, actor, {}, &Entry::actor);
  }
  bool is_below_floor(const Actor& actor, Epoch time) const {
    return Floors::has_floor(actor) && time <= floors_.at(Floors::cta_of(actor));
  }
  bool is_below_floor(const Entry& entry) const { return is_below_floor(entry.actor, entry.time); }
  void leave_out_below_floors() {
    std::erase_if(entries_, [&](const Entry& entry) { return is_below_floor(entry); });
  }
  void join_entries(const Entries& others);

  Floors floors_;
  Entries entries_;  // sorted by actor; of threads, what is beyond the floor

 private:
  template <class IsAsked>
  bool covers_where(const BasicVectorClock& other, IsAsked is_asked) const;
};

template <class Floors>
void BasicVectorClock<Floors>::add(const Actor& actor, Epoch time) {
  if (is_below_floor(actor, time)) return;
  const auto entry = find_by_index(entries_, actor);
  if (entry != entries_.end() && entry->actor == actor) {
    entry->time = std::max(entry->time, time);
  } else {
    entries_.insert(entry, {actor, time});
  }
}

template <class Floors>
void BasicVectorClock<Floors>::add_cta(Cta cta, Epoch time) {
  if (!floors_.raise(cta, time)) return;
  const auto first = find(entries_, Floors::first_of(cta));
  const auto last = std::find_if(first, entries_.end(), [&](const Entry& entry) {
    return Floors::cta_of(entry.actor) != cta;
  });
  entries_.erase(
      std::remove_if(first, last, [&](const Entry& entry) { return is_below_floor(entry); }), last);
}

template <class Floors>
void BasicVectorClock<Floors>::join_entries(const Entries& others) {
  if (entries_.empty()) {
    entries_ = others;
    if (!floors_.is_empty()) leave_out_below_floors();
    return;
  }
  // Nearly always the actors are known already, by earlier moments; mostly both know of the same.
  std::size_t same = 0;
  const std::size_t most = std::min(entries_.size(), others.size());
  for (; same < most && entries_[same].actor == others[same].actor; ++same) {
    entries_[same].time = std::max(entries_[same].time, others[same].time);
  }
  Entries unknown;
  auto mine = entries_.begin() + static_cast<std::ptrdiff_t>(same);
  for (const Entry& theirs : std::span(others).subspan(same)) {
    mine = find_from(mine, entries_.end(), theirs.actor);
    if (mine != entries_.end() && mine->actor == theirs.actor) {
      mine->time = std::max(mine->time, theirs.time);
      ++mine;
    } else if (!is_below_floor(theirs)) {
      unknown.push_back(theirs);
    }
  }
  if (unknown.empty()) return;
  const auto known = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), unknown.begin(), unknown.end());
  std::ranges::inplace_merge(entries_, entries_.begin() + known, {}, &Entry::actor);
}

template <class Floors>
template <class IsAsked>
bool BasicVectorClock<Floors>::covers_where(const BasicVectorClock& other, IsAsked is_asked) const {
  if (!floors_.cover(other.floors_)) return false;
  auto mine = entries_.begin();
  return std::ranges::all_of(other.entries_, [&](const Entry& theirs) {
    if (!is_asked(theirs.actor)) return true;
    mine = find_from(mine, entries_.end(), theirs.actor);
    if (mine == entries_.end() || !(mine->actor == theirs.actor)) return is_below_floor(theirs);
    return theirs.time <= mine++->time || is_below_floor(theirs);
  });
}

}  // namespace tmaemu
