#include "emulator/order/vector_clock.h"

#include <algorithm>

namespace tmaemu {
namespace {

// The first of the entries from `from` on that is not before the thread. Clocks that are compared
// know of nearly the same threads: most often it is the very first, or the next.
template <class Entries>
Entries seek(Entries from, Entries end, ThreadId thread) {
  if (from == end || !(from->thread < thread)) return from;
  ++from;
  if (from == end || !(from->thread < thread)) return from;
  return std::lower_bound(from, end, thread,
                          [](const auto& entry, ThreadId wanted) { return entry.thread < wanted; });
}

}  // namespace

bool VectorClock::knows(ThreadId writer, Epoch epoch) const {
  if (epoch <= floor(writer.rank)) return true;
  const auto entry = std::ranges::lower_bound(entries_, writer, {}, &Entry::thread);
  return entry != entries_.end() && entry->thread == writer && epoch <= entry->epoch;
}

void VectorClock::add(ThreadId writer, Epoch epoch) {
  if (epoch <= floor(writer.rank)) return;
  const auto entry = std::ranges::lower_bound(entries_, writer, {}, &Entry::thread);
  if (entry != entries_.end() && entry->thread == writer) {
    entry->epoch = std::max(entry->epoch, epoch);
  } else {
    entries_.insert(entry, {writer, epoch});
  }
}

void VectorClock::add_cta(std::uint16_t rank, Epoch epoch) {
  if (floors_.size() <= rank) floors_.resize(rank + 1u, 0);
  floors_[rank] = std::max(floors_[rank], epoch);
  std::erase_if(entries_,
                [&](const Entry& entry) { return entry.epoch <= floor(entry.thread.rank); });
}

void VectorClock::join(const VectorClock& other) {
  for (std::uint16_t rank = 0; rank < other.floors_.size(); ++rank) {
    if (other.floors_[rank] > floor(rank)) add_cta(rank, other.floors_[rank]);
  }
  // Nearly always the threads are known already, by earlier epochs.
  std::vector<Entry> unknown;
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    mine = seek(mine, entries_.end(), theirs.thread);
    if (mine != entries_.end() && mine->thread == theirs.thread) {
      mine->epoch = std::max(mine->epoch, theirs.epoch);
    } else if (theirs.epoch > floor(theirs.thread.rank)) {
      unknown.push_back(theirs);
    }
  }
  if (unknown.empty()) return;
  const auto known = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), unknown.begin(), unknown.end());
  std::ranges::inplace_merge(entries_, entries_.begin() + known, {}, &Entry::thread);
}

void VectorClock::clear() {
  floors_.clear();
  entries_.clear();
}

bool VectorClock::covers(const VectorClock& other, ThreadId writer) const {
  for (std::uint16_t rank = 0; rank < other.floors_.size(); ++rank) {
    if (other.floors_[rank] > floor(rank)) return false;
  }
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    if (theirs.thread == writer || theirs.epoch <= floor(theirs.thread.rank)) continue;
    mine = seek(mine, entries_.end(), theirs.thread);
    if (mine == entries_.end() || mine->thread != theirs.thread || mine->epoch < theirs.epoch) {
      return false;
    }
  }
  return true;
}

}  // namespace tmaemu
