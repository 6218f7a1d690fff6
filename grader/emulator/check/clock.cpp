#include "emulator/check/clock.h"

#include <limits>

namespace tmaemu::check {

bool CtaFloors::raise(Cta cta, Time time) {
  const auto found = std::ranges::lower_bound(floors_, cta, {}, &Floor::cta);
  if (found != floors_.end() && found->cta == cta) {
    if (time <= found->time) return false;
    found->time = time;
  } else {
    floors_.insert(found, {cta, time});
  }
  return true;
}

// Where all CTAs of a grid meet, each joins the floors of all others, and nearly always has a floor
// of each itself: so both are gone through once.
bool CtaFloors::join(const CtaFloors& others) {
  bool is_raised = false;
  if (has_many_more(others)) {
    for (const Floor& theirs : others.floors_) is_raised |= raise(theirs.cta, theirs.time);
    return is_raised;
  }
  std::vector<Floor> unknown;
  auto mine = floors_.begin();
  for (const Floor& theirs : others.floors_) {
    while (mine != floors_.end() && mine->cta < theirs.cta) ++mine;
    if (mine == floors_.end() || mine->cta != theirs.cta) {
      unknown.push_back(theirs);
    } else if (mine->time < theirs.time) {
      mine->time = theirs.time;
      is_raised = true;
    }
  }
  if (unknown.empty()) return is_raised;
  const auto known = static_cast<std::ptrdiff_t>(floors_.size());
  floors_.insert(floors_.end(), unknown.begin(), unknown.end());
  std::ranges::inplace_merge(floors_, floors_.begin() + known, {}, &Floor::cta);
  return true;
}

bool CtaFloors::cover(const CtaFloors& others) const {
  if (has_many_more(others)) {
    return others.all_of([&](Cta cta, Time time) { return time <= at(cta); });
  }
  auto mine = floors_.begin();
  return others.all_of([&](Cta cta, Time time) {
    while (mine != floors_.end() && mine->cta < cta) ++mine;
    return mine != floors_.end() && mine->cta == cta && time <= mine->time;
  });
}

bool Clock::knows_any_of(std::uint32_t cta) const {
  if (floors_.at(cta) != 0) return true;
  const auto first = find(entries_, Actor{cta, 0});
  return first != entries_.end() && first->actor.cta == cta;
}

void Clock::join_others(const Clock& other, std::uint32_t cta) {
  Clock others = other;
  others.floors_.erase_if([&](std::uint32_t floor) { return floor == cta; });
  std::erase_if(others.entries_, [&](const Entry& entry) {
    return entry.actor.cta == cta && entry.actor.track == Actor::Track::thread;
  });
  join(others);
}

Clock Clock::of(const std::function<bool(std::uint32_t)>& is_wanted) const {
  Clock wanted = *this;
  wanted.floors_.erase_if([&](std::uint32_t cta) { return !is_wanted(cta); });
  std::erase_if(wanted.entries_, [&](const Entry& entry) { return !is_wanted(entry.actor.cta); });
  return wanted;
}

void Clock::join_unknown(const Clock& other, const Clock& known) {
  other.floors_.all_of([&](std::uint32_t cta, Time time) {
    if (time > known.floors_.at(cta)) add_cta(cta, time);
    return true;
  });
  Entries unknown;
  auto near = known.entries_.begin();
  for (const Entry& theirs : other.entries_) {
    near = find_from(near, known.entries_.end(), theirs.actor);
    const bool is_there = near != known.entries_.end() && near->actor == theirs.actor;
    if (is_there && theirs.time <= near->time) continue;
    if (!known.is_below_floor(theirs)) unknown.push_back(theirs);
  }
  join_entries(unknown);
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
