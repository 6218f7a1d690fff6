#include "emulator/stats/array_work.h"

#include <algorithm>

namespace tmaemu::stats {

ArrayWork::ArrayWork(const Region& region)
    : address_(region.address),
      size_(region.size),
      array_(region.array),
      read_plainly_(region.size),
      written_plainly_(region.size),
      written_(region.size),
      reread_(region.size) {}

ArrayWork::Piece ArrayWork::piece(std::uint64_t address, std::size_t bytes) const {
  const std::size_t begin = std::max<std::size_t>(address - address_, array_.offset);
  const std::size_t end = std::min(address - address_ + bytes, array_.offset + array_.size);
  return begin < end ? Piece{begin, end - begin} : Piece{};
}

ArrayWork::Seen& ArrayWork::seen(Measure measure) {
  std::atomic<Seen*>& place = seen_[index_of(measure)];
  if (Seen* const there = place.load(std::memory_order_acquire)) return *there;
  const std::lock_guard lock(mutex_);
  if (place.load(std::memory_order_relaxed) == nullptr) {
    place.store(&all_seen_.emplace_back(size_), std::memory_order_release);
  }
  return *place.load(std::memory_order_relaxed);
}

void ArrayWork::loads(Measure measure, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  reread_.add(part.offset, part.bytes);
  if (!array_.holds_input) return;
  seen(measure).loads.add_outside(written_, part.offset, part.bytes);
}

void ArrayWork::stores(Measure measure, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  reread_.remove(part.offset, part.bytes);
  seen(measure).stores.add_outside(written_plainly_, part.offset, part.bytes);
  written_.add(part.offset, part.bytes);
}

void ArrayWork::reduces(Measure measure, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  reread_.remove(part.offset, part.bytes);
  seen(measure).stores.add(part.offset, part.bytes);
  written_.add(part.offset, part.bytes);
}

void ArrayWork::reads_plainly(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  reread_.add(part.offset, part.bytes);
  if (array_.holds_input) read_plainly_.add_outside(written_, part.offset, part.bytes);
}

void ArrayWork::overwrite(const Piece& part) {
  for (const std::atomic<Seen*>& place : seen_) {
    Seen* const seen = place.load(std::memory_order_acquire);
    if (seen != nullptr) seen->stores.remove_outside(reread_, part.offset, part.bytes);
  }
  written_plainly_.add(part.offset, part.bytes);
  written_.add(part.offset, part.bytes);
}

void ArrayWork::writes_plainly(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  overwrite(part);
  seen(Measure::by_kernels).stores.add(part.offset, part.bytes);
}

void ArrayWork::updates_plainly(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  if (array_.holds_input) read_plainly_.add_outside(written_, part.offset, part.bytes);
  writes_plainly(address, bytes);
}

void ArrayWork::is_copied_from(std::uint64_t address, std::size_t bytes) {
  reads_plainly(address, bytes);
}

void ArrayWork::is_copied_to(std::uint64_t address, std::size_t bytes) {
  overwrite(piece(address, bytes));
}

std::uint64_t ArrayWork::measured(Measure measure) const {
  const Seen* const seen = seen_so_far(measure);
  if (seen == nullptr) return 0;
  Coverage all(size_);
  all.add_all(seen->loads, read_plainly_);
  all.add_all(seen->stores, Coverage(size_));
  return all.bytes();
}

}  // namespace tmaemu::stats
