#include "emulator/provenance/work.h"

#include <algorithm>

namespace tmaemu::provenance {
namespace {

// All of the GPU, and a little more: a CTA or two beside those that stay do what they leave over.
constexpr double most_of_gpu = 1 + 1 / 16.0;

}  // namespace

ArrayWork* Work::array_at(std::uint64_t address) {
  const Region* region = memory_.find(address);
  if (region == nullptr || region->kind != RegionKind::imported) return nullptr;
  const std::lock_guard lock(mutex_);
  return &arrays_.try_emplace(region->address, *region).first->second;
}

void Work::copies(std::span<const StreamedBytes> bytes) {
  // The host has other inputs than the device (handout/inside/replay.md): it knows nothing of
  // these.
  const bool knows_input = std::ranges::any_of(bytes, [&](const StreamedBytes& piece) {
    return piece.use == StreamedBytes::Use::read &&
           (array_at(piece.address) != nullptr || detours_.tell(piece.address, piece.bytes));
  });
  for (const StreamedBytes& piece : bytes) {
    ArrayWork* const array = array_at(piece.address);
    const bool reads = piece.use == StreamedBytes::Use::read;
    if (array == nullptr) {
      if (!reads) detours_.writes(piece.address, piece.bytes, knows_input);
    } else if (reads) {
      array->is_copied_from(piece.address, piece.bytes);
    } else {
      array->is_copied_to(piece.address, piece.bytes);
    }
  }
}

void Work::add(Measure measure, std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  counted_[index_of(measure)] += amount;
}

void Work::raise(Measure measure, std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  std::uint64_t& largest = counted_[index_of(measure)];
  largest = std::max(largest, amount);
}

bool Work::finds_room(double share) {
  const std::lock_guard lock(mutex_);
  share_taken_ += share;
  return share_taken_ <= most_of_gpu;
}

bool Residency::holds() {
  std::call_once(once_, [this] { holds_ = share_ <= 1 && work_.finds_room(share_); });
  return holds_;
}

std::uint64_t Work::measured_of_arrays(Measure measure) const {
  ArrayWork::Moved sum;
  for (const auto& [address, array] : arrays_) sum += array.measured(measure);
  if (is_of_rank(measure)) return sum.loaded + sum.written;
  if (!is_of_swizzle(measure)) return sum.either;
  return std::max(sum.loaded, sum.written) - std::min(sum.loaded, sum.written);
}

Measured Work::measured() const {
  const std::lock_guard lock(mutex_);
  Measured result = counted_;
  for (std::size_t measure = 0; measure < measure_count; ++measure) {
    result[measure] += measured_of_arrays(static_cast<Measure>(measure));
  }
  result[index_of(Measure::detoured)] = detours_.bytes();
  // What was written is covered as such; what was read is what was loaded.
  result[index_of(Measure::through_tma)] += result[index_of(Measure::bulk_loads)];
  return result;
}

LaunchWork::LaunchWork(Work& work, const Program& program, const LaunchRequest& request,
                       std::uint64_t resident_ctas)
    : work_(work),
      residency_(work, request.grid.count(), resident_ctas),
      steps_(work.follows_values() ? std::optional<Steps>(program) : std::nullopt) {
  const bool is_plain = request.cluster.count() == 1 && steps_ && !steps_->waits_for_phases() &&
                        !steps_->has_warpgroups() && !work.detours().has_products();
  if (is_plain) steps_.reset();
  work_.raise(Measure::cluster_ctas, request.cluster.count());
}

Observer& LaunchWork::observe_cluster() {
  const std::lock_guard lock(mutex_);
  return clusters_.emplace_back(work_, steps_ ? &*steps_ : nullptr, residency_);
}

}  // namespace tmaemu::provenance
