#include "emulator/order/vector_clock.h"

#include <algorithm>

namespace tmaemu {

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
    mine = std::ranges::lower_bound(mine, entries_.end(), theirs.thread, {}, &Entry::thread);
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
  return std::ranges::all_of(other.entries_, [&](const Entry& entry) {
    return entry.thread == writer || knows(entry.thread, entry.epoch);
  });
}

}  // namespace tmaemu
