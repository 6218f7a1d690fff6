#include "emulator/sched/causality.h"

#include <algorithm>

namespace tmaemu {

bool Knowledge::knows(ThreadId writer, Stamp stamp) const {
  if (stamp <= floor(writer.rank)) return true;
  const auto entry = std::ranges::lower_bound(entries_, writer, {}, &Entry::thread);
  return entry != entries_.end() && entry->thread == writer && stamp <= entry->stamp;
}

void Knowledge::add(ThreadId writer, Stamp stamp) {
  if (stamp <= floor(writer.rank)) return;
  const auto entry = std::ranges::lower_bound(entries_, writer, {}, &Entry::thread);
  if (entry != entries_.end() && entry->thread == writer) {
    entry->stamp = std::max(entry->stamp, stamp);
  } else {
    entries_.insert(entry, {writer, stamp});
  }
}

void Knowledge::add_cta(std::uint16_t rank, Stamp stamp) {
  if (floors_.size() <= rank) floors_.resize(rank + 1u, 0);
  floors_[rank] = std::max(floors_[rank], stamp);
  std::erase_if(entries_,
                [&](const Entry& entry) { return entry.stamp <= floor(entry.thread.rank); });
}

void Knowledge::join(const Knowledge& other) {
  for (std::uint16_t rank = 0; rank < other.floors_.size(); ++rank) {
    if (other.floors_[rank] > floor(rank)) add_cta(rank, other.floors_[rank]);
  }
  // Nearly always the threads are known already, by earlier stamps.
  std::vector<Entry> unknown;
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    mine = std::ranges::lower_bound(mine, entries_.end(), theirs.thread, {}, &Entry::thread);
    if (mine != entries_.end() && mine->thread == theirs.thread) {
      mine->stamp = std::max(mine->stamp, theirs.stamp);
    } else if (theirs.stamp > floor(theirs.thread.rank)) {
      unknown.push_back(theirs);
    }
  }
  if (unknown.empty()) return;
  const auto known = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), unknown.begin(), unknown.end());
  std::ranges::inplace_merge(entries_, entries_.begin() + known, {}, &Entry::thread);
}

void Knowledge::clear() {
  floors_.clear();
  entries_.clear();
}

bool Knowledge::covers(const Knowledge& other, ThreadId writer) const {
  for (std::uint16_t rank = 0; rank < other.floors_.size(); ++rank) {
    if (other.floors_[rank] > floor(rank)) return false;
  }
  return std::ranges::all_of(other.entries_, [&](const Entry& entry) {
    return entry.thread == writer || knows(entry.thread, entry.stamp);
  });
}

Causality::Causality(unsigned ctas, unsigned threads_per_cta)
    : threads_per_cta_(threads_per_cta),
      threads_(std::size_t{ctas} * threads_per_cta, std::make_shared<const Knowledge>()) {}

void Causality::reset() {
  now_ = 1;
  std::ranges::fill(threads_, std::make_shared<const Knowledge>());
}

void Causality::release(ThreadId thread, Knowledge& object) {
  object.join(knowledge(thread));
  object.add(thread, now_);
  ++now_;  // what the thread writes from here on is not covered
}

void Causality::acquire(ThreadId thread, const Knowledge& object) {
  // A thread that waits for what itself has arrived at learns nothing: each turn of the usual ring.
  if (knowledge(thread).covers(object, thread)) return;
  auto learnt = std::make_shared<Knowledge>(knowledge(thread));
  learnt->join(object);
  threads_[slot(thread)] = std::move(learnt);
}

void Causality::synchronise_cta(std::uint16_t rank) {
  const auto begin = threads_.begin() + static_cast<std::ptrdiff_t>(slot({rank, 0}));
  const auto end = begin + threads_per_cta_;
  auto joined = std::make_shared<Knowledge>();
  const Knowledge* previous = nullptr;
  for (auto thread = begin; thread != end; ++thread) {
    if (thread->get() != previous) joined->join(**thread);
    previous = thread->get();
  }
  joined->add_cta(rank, now_++);
  std::fill(begin, end, Shared(std::move(joined)));
}

void Causality::synchronise_cluster() {
  auto joined = std::make_shared<Knowledge>();
  const std::size_t ctas = threads_.size() / threads_per_cta_;
  for (std::size_t rank = 0; rank < ctas; ++rank) {
    joined->add_cta(static_cast<std::uint16_t>(rank), now_);
  }
  ++now_;
  std::fill(threads_.begin(), threads_.end(), Shared(std::move(joined)));
}

void Causality::synchronise(std::span<const ThreadId> threads) {
  auto joined = std::make_shared<Knowledge>();
  const Knowledge* previous = nullptr;
  for (const ThreadId thread : threads) {
    if (const Knowledge& own = knowledge(thread); &own != previous) {
      joined->join(own);
      previous = &own;
    }
    joined->add(thread, now_);
  }
  ++now_;
  const Shared shared = std::move(joined);
  for (const ThreadId thread : threads) threads_[slot(thread)] = shared;
}

}  // namespace tmaemu
