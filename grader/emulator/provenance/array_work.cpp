#include "emulator/provenance/array_work.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace tmaemu::provenance {

ArrayWork::ArrayWork(const Region& region)
    : address_(region.address),
      size_(region.size),
      holds_input_(region.holds_input),
      read_plainly_(covered_),
      written_plainly_(covered_),
      written_(covered_),
      unread_(covered_),
      left_(covered_),
      stored_(covered_),
      holds_store_(covered_),
      stores_read_(covered_),
      written_by_kernels_(covered_),
      stored_wide_(covered_),
      copied_to_(covered_),
      loaded_(covered_),
      remote_(covered_),
      handed_(covered_),
      handed_to_stores_(covered_),
      multiplied_(covered_),
      chained_(covered_),
      resident_(covered_) {}

ArrayWork::Piece ArrayWork::piece(std::uint64_t address, std::size_t bytes) const {
  const std::uint64_t end = std::min(address + bytes, address_ + size_);
  if (address >= end) return {};
  return {static_cast<std::size_t>(address - base_), static_cast<std::size_t>(end - address)};
}

ArrayWork::Way& ArrayWork::way(MeasureSet measures) {
  const std::lock_guard lock(mutex_);
  has_ways_.store(true, std::memory_order_relaxed);
  return ways_.try_emplace(measures, covered_).first->second;
}

void ArrayWork::overwrite(const Piece& part, const Way* by) {
  if (has_origins_.load(std::memory_order_relaxed)) {
    remote_.remove(part.offset, part.bytes);
    handed_.remove(part.offset, part.bytes);
    handed_to_stores_.remove(part.offset, part.bytes);
    multiplied_.remove(part.offset, part.bytes);
    chained_.remove(part.offset, part.bytes);
  }
  resident_.remove(part.offset, part.bytes);
  stored_wide_.remove(part.offset, part.bytes);
  holds_store_.remove(part.offset, part.bytes);
  if (!has_ways_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  for (auto& [measures, way] : ways_) {
    if (&way == by) continue;
    way.stores_.remove(part.offset, part.bytes);
    way.reductions_.remove(part.offset, part.bytes);
  }
}

void ArrayWork::overwrite_stores(const Piece& part) {
  holds_store_.remove(part.offset, part.bytes);
  const std::lock_guard lock(mutex_);
  for (auto& [measures, way] : ways_) way.stores_.remove(part.offset, part.bytes);
}

void ArrayWork::is_written(const Piece& part) {
  left_.remove(part.offset, part.bytes);
  written_.add(part.offset, part.bytes);
  unread_.add(part.offset, part.bytes);
}

std::uint64_t ArrayWork::news(std::uint64_t address, std::size_t bytes) const {
  if (!holds_input_) return 0;
  const Piece part = piece(address, bytes);
  return loaded_.bytes_outside(part.offset, part.bytes);
}

std::uint64_t ArrayWork::asks(std::uint64_t address, std::size_t bytes) {
  const std::uint64_t asked = news(address, bytes);
  const Piece part = piece(address, bytes);
  loaded_.add(part.offset, part.bytes);
  return asked;
}

void ArrayWork::loads(Way& way, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  loaded_.add(part.offset, part.bytes);
  // What threads have left here for the engine did not stay in shared memory either. What the
  // engine itself has stored did, as far as anybody knows: a kernel for each of two steps is right.
  if (const std::uint64_t again = left_.take(part.offset, part.bytes); again != 0) {
    unread_.remove(part.offset, part.bytes);
    read_back_.fetch_add(again, std::memory_order_relaxed);
  }
  if (holds_input_) way.loads_.add_outside(written_, part.offset, part.bytes);
}

void ArrayWork::stores(Way& way, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  overwrite(part, &way);
  way.stores_.add_outside(written_plainly_, part.offset, part.bytes);
  stored_.add(part.offset, part.bytes);
  holds_store_.add(part.offset, part.bytes);
  stored_wide_.add_outside(copied_to_, part.offset, part.bytes);
  is_written(part);
  written_by_kernels_.add_outside(copied_to_, part.offset, part.bytes);
}

void ArrayWork::reduces(Way& way, std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  overwrite_stores(part);
  way.reductions_.add(part.offset, part.bytes);
  is_written(part);
  written_by_kernels_.add_outside(copied_to_, part.offset, part.bytes);
}

void ArrayWork::reads_plainly(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  stores_read_.add_inside(holds_store_, part.offset, part.bytes);
  if (const std::uint64_t again = unread_.take(part.offset, part.bytes); again != 0) {
    left_.remove(part.offset, part.bytes);
    read_back_.fetch_add(again, std::memory_order_relaxed);
  }
  if (holds_input_) read_plainly_.add_outside(written_, part.offset, part.bytes);
}

void ArrayWork::writes_plainly(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  overwrite(part, nullptr);
  written_plainly_.add(part.offset, part.bytes);
  is_written(part);
  left_.add(part.offset, part.bytes);
  written_by_kernels_.add_outside(copied_to_, part.offset, part.bytes);
}

void ArrayWork::is_stored_wide(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  stored_wide_.add_outside(copied_to_, part.offset, part.bytes);
}

void ArrayWork::updates_plainly(std::uint64_t address, std::size_t bytes) {
  reads_plainly(address, bytes);
  writes_plainly(address, bytes);
}

void ArrayWork::came_from(const Origins::Written& origin, std::uint64_t address,
                          std::size_t bytes) {
  if (!origin.is_remote && !origin.is_handed && !origin.is_multiplied) return;
  const Piece part = piece(address, bytes);
  has_origins_.store(true, std::memory_order_relaxed);
  if (origin.is_remote) remote_.add(part.offset, part.bytes);
  if (origin.is_handed) handed_.add(part.offset, part.bytes);
  if (origin.is_handed_to_store) handed_to_stores_.add(part.offset, part.bytes);
  if (origin.is_multiplied) multiplied_.add(part.offset, part.bytes);
  if (origin.is_chained) chained_.add(part.offset, part.bytes);
}

void ArrayWork::is_of_resident_ctas(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  resident_.add(part.offset, part.bytes);
}

void ArrayWork::is_copied_from(std::uint64_t address, std::size_t bytes) {
  // Perhaps to the host, who looks at what is there; if to global memory, it is written there.
  const Piece part = piece(address, bytes);
  if (holds_input_) read_plainly_.add_outside(written_, part.offset, part.bytes);
}

void ArrayWork::is_copied_to(std::uint64_t address, std::size_t bytes) {
  const Piece part = piece(address, bytes);
  overwrite(part, nullptr);
  written_by_kernels_.remove(part.offset, part.bytes);
  copied_to_.add(part.offset, part.bytes);
  written_plainly_.add(part.offset, part.bytes);
  is_written(part);
}

ArrayWork::Moved& ArrayWork::Moved::operator+=(const Moved& other) {
  loaded += other.loaded;
  written += other.written;
  either += other.either;
  return *this;
}

ArrayWork::Moved ArrayWork::measured(Measure measure) const {
  switch (measure) {
    case Measure::by_kernels:
      return {.either = written_by_kernels_.bytes()};
    case Measure::wide_stores:
      return {.either = stored_wide_.bytes()};
    case Measure::distributed_shared_memory:
      return {.either = remote_.bytes()};
    case Measure::handed_over:
      return {.either = handed_.bytes()};
    case Measure::handed_to_stores:
      return {.either = handed_to_stores_.bytes()};
    case Measure::by_wgmma:
      return {.either = multiplied_.bytes()};
    case Measure::wgmma_chains:
      return {.either = chained_.bytes()};
    case Measure::by_resident_ctas:
      return {.either = resident_.bytes()};
    case Measure::inputs_read:
      return {.either = bytes_read()};
    case Measure::stores_read:
      return {.either = stores_read_.bytes()};
    case Measure::read_back:
      return {.either = read_back_.load(std::memory_order_relaxed)};
    default:
      return moved(measure);
  }
}

std::uint64_t ArrayWork::bytes_read() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t granules = 0;
  for (std::size_t index = 0; index < read_plainly_.block_count(); ++index) {
    Coverage::Block block = {};
    read_plainly_.add_to(block, index);
    for (const auto& [measures, way] : ways_) way.loads_.add_to(block, index);
    for (const std::uint64_t word : block) granules += static_cast<unsigned>(std::popcount(word));
  }
  return granules * Coverage::granule;
}

ArrayWork::Moved ArrayWork::moved(Measure measure) const {
  const bool is_of_reductions =
      measure == Measure::bulk_reductions || measure == Measure::tensor_reductions;
  std::vector<const Coverage*> loads;
  std::vector<const Coverage*> read_otherwise = {&read_plainly_};
  std::vector<const Coverage*> writes;
  std::vector<const Coverage*> stored;
  if (is_of_reductions) stored = {&written_plainly_, &stored_};
  const std::lock_guard lock(mutex_);
  for (const auto& [measures, way] : ways_) {
    if (measure == Measure::multicast && (measures & unshared_multicast) != 0) continue;
    const bool counts = (measures & set_of(measure)) != 0;
    (counts ? loads : read_otherwise).push_back(&way.loads_);
    if (!counts) continue;
    if (!is_of_reductions) writes.push_back(&way.stores_);
    writes.push_back(&way.reductions_);
  }
  Moved result;
  if (loads.empty() && writes.empty()) return result;
  for (std::size_t index = 0; index < read_plainly_.block_count(); ++index) {
    const auto covered_by = [&](const std::vector<const Coverage*>& coverages) {
      Coverage::Block block = {};
      bool any = false;
      for (const Coverage* coverage : coverages) any |= coverage->add_to(block, index);
      return std::pair(block, any);
    };
    const auto [is_loaded, any_loaded] = covered_by(loads);
    const auto [is_written, any_written] = covered_by(writes);
    if (!any_loaded && !any_written) continue;
    const Coverage::Block is_read_otherwise = covered_by(read_otherwise).first;
    const Coverage::Block is_stored = covered_by(stored).first;
    for (std::size_t word = 0; word < is_loaded.size(); ++word) {
      const std::uint64_t loaded = is_loaded[word] & ~is_read_otherwise[word];
      const std::uint64_t written = is_written[word] & ~is_stored[word];
      result.loaded += static_cast<unsigned>(std::popcount(loaded));
      result.written += static_cast<unsigned>(std::popcount(written));
      result.either += static_cast<unsigned>(std::popcount(loaded | written));
    }
  }
  result.loaded *= Coverage::granule;
  result.written *= Coverage::granule;
  result.either *= Coverage::granule;
  return result;
}

}  // namespace tmaemu::provenance
