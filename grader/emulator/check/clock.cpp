#include "emulator/check/clock.h"

#include <algorithm>
#include <limits>

namespace tmaemu::check {

// The first entry from `near` on whose actor is not before this one: nearly always `near` itself,
// since clocks know of the same actors.
template <class Iterator>
Iterator Clock::find_from(Iterator near, Iterator end, const Actor& actor) {
  if (near == end || near->actor >= actor) return near;
  return std::ranges::lower_bound(near, end, actor, {}, &Entry::actor);
}

Time Clock::floor(std::uint32_t cta) const {
  if (floors_.size() == 1) return floors_.front().cta == cta ? floors_.front().time : 0;
  const auto found = std::ranges::lower_bound(floors_, cta, {}, &Floor::cta);
  return found != floors_.end() && found->cta == cta ? found->time : 0;
}

bool Clock::knows(const Actor& actor, Time time) const {
  if (actor.track == Actor::Track::thread && time <= floor(actor.cta)) return true;
  const auto entry = std::ranges::lower_bound(entries_, actor, {}, &Entry::actor);
  return entry != entries_.end() && entry->actor == actor && time <= entry->time;
}

bool Clock::knows_any_of(std::uint32_t cta) const {
  if (floor(cta) != 0) return true;
  const auto first = std::ranges::lower_bound(entries_, Actor{cta, 0}, {}, &Entry::actor);
  return first != entries_.end() && first->actor.cta == cta;
}

void Clock::add(const Actor& actor, Time time) {
  if (actor.track == Actor::Track::thread && time <= floor(actor.cta)) return;
  const auto entry = std::ranges::lower_bound(entries_, actor, {}, &Entry::actor);
  if (entry != entries_.end() && entry->actor == actor) {
    entry->time = std::max(entry->time, time);
  } else {
    entries_.insert(entry, {actor, time});
  }
}

void Clock::add_cta(std::uint32_t cta, Time time) {
  const auto found = std::ranges::lower_bound(floors_, cta, {}, &Floor::cta);
  if (found != floors_.end() && found->cta == cta) {
    if (time <= found->time) return;
    found->time = time;
  } else {
    floors_.insert(found, {cta, time});
  }
  const auto first = std::ranges::lower_bound(entries_, Actor{cta, 0}, {}, &Entry::actor);
  const auto last = std::find_if(first, entries_.end(),
                                 [&](const Entry& entry) { return entry.actor.cta != cta; });
  const auto kept = std::remove_if(first, last, [&](const Entry& entry) {
    return entry.actor.track == Actor::Track::thread && entry.time <= time;
  });
  entries_.erase(kept, last);
}

void Clock::join_others(const Clock& other, std::uint32_t cta) {
  Clock others = other;
  std::erase_if(others.floors_, [&](const Floor& floor) { return floor.cta == cta; });
  std::erase_if(others.entries_, [&](const Entry& entry) {
    return entry.actor.cta == cta && entry.actor.track == Actor::Track::thread;
  });
  join(others);
}

Clock Clock::of(const std::function<bool(std::uint32_t)>& is_wanted) const {
  Clock wanted = *this;
  std::erase_if(wanted.floors_, [&](const Floor& floor) { return !is_wanted(floor.cta); });
  std::erase_if(wanted.entries_, [&](const Entry& entry) { return !is_wanted(entry.actor.cta); });
  return wanted;
}

void Clock::join_unknown(const Clock& other, const Clock& known) {
  for (const Floor& floor : other.floors_) {
    if (floor.time > known.floor(floor.cta)) add_cta(floor.cta, floor.time);
  }
  std::vector<Entry> unknown;
  auto near = known.entries_.begin();
  for (const Entry& theirs : other.entries_) {
    near = find_from(near, known.entries_.end(), theirs.actor);
    const bool is_there = near != known.entries_.end() && near->actor == theirs.actor;
    if (is_there && theirs.time <= near->time) continue;
    if (!known.is_below_floor(theirs)) unknown.push_back(theirs);
  }
  join_entries(unknown);
}

void Clock::join(const Clock& other) {
  for (const Floor& floor : other.floors_) add_cta(floor.cta, floor.time);
  join_entries(other.entries_);
}

void Clock::join_entries(const std::vector<Entry>& others) {
  if (entries_.empty()) {
    entries_ = others;
    if (!floors_.empty()) {
      std::erase_if(entries_, [&](const Entry& entry) { return is_below_floor(entry); });
    }
    return;
  }
  // Nearly always the actors are known already, by earlier moments, and are the next ones here,
  // too.
  std::vector<Entry> unknown;
  auto mine = entries_.begin();
  for (const Entry& theirs : others) {
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

bool Clock::covers(const Clock& other) const {
  const auto covers_floor = [&](const Floor& theirs) { return theirs.time <= floor(theirs.cta); };
  if (!std::ranges::all_of(other.floors_, covers_floor)) return false;
  auto mine = entries_.begin();
  return std::ranges::all_of(other.entries_, [&](const Entry& theirs) {
    mine = find_from(mine, entries_.end(), theirs.actor);
    if (mine == entries_.end() || mine->actor != theirs.actor) return is_below_floor(theirs);
    return theirs.time <= mine++->time || is_below_floor(theirs);
  });
}

void Clock::gather(std::uint32_t cta, unsigned threads) {
  unsigned count = 0;
  Time least = std::numeric_limits<Time>::max();
  for (const Entry& entry : entries_) {
    if (entry.actor.cta != cta || entry.actor.track != Actor::Track::thread) continue;
    ++count;
    least = std::min(least, entry.time);
  }
  if (count == threads) add_cta(cta, least);
}

}  // namespace tmaemu::check
