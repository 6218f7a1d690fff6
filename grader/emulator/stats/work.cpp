#include "emulator/stats/work.h"

#include <algorithm>

#include "emulator/memory/address_space.h"

namespace tmaemu::stats {
namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

// What the ranges of a bulk operation count as.
class Measures {
 public:
  explicit Measures(const events::Bulk& bulk) {
    switch (bulk.kind) {
      case BulkKind::global_to_shared:
        add(Measure::bulk_loads);
        if (bulk.is_tensor) add(Measure::tensor_loads);
        if (bulk.multicast != 0) add(Measure::multicast);
        if (bulk.is_paired) add(Measure::cta_pairs);
        break;
      case BulkKind::shared_to_global:
        add(Measure::bulk_stores);
        if (bulk.is_tensor) add(Measure::tensor_stores);
        break;
      case BulkKind::reduce_to_global:
        add(Measure::bulk_reductions);
        if (bulk.is_tensor) add(Measure::tensor_reductions);
        break;
      case BulkKind::shared_to_shared:
      case BulkKind::reduce_to_shared:
        return;
    }
    if (bulk.kind != BulkKind::global_to_shared) add(Measure::through_tma);
    if (bulk.swizzle_bytes == 32) add(Measure::swizzle_32);
    if (bulk.swizzle_bytes == 64) add(Measure::swizzle_64);
    if (bulk.swizzle_bytes == 128) add(Measure::swizzle_128);
  }

  const Measure* begin() const { return measures_.data(); }
  const Measure* end() const { return measures_.data() + count_; }

 private:
  void add(Measure measure) { measures_[count_++] = measure; }

  std::array<Measure, 6> measures_{};
  std::size_t count_ = 0;
};

}  // namespace

Work::Covered Work::array_at(Measure measure, std::uint64_t address) {
  const Region* region = memory_.find(address);
  if (region == nullptr || region->kind != RegionKind::imported) return {};
  const std::lock_guard lock(mutex_);
  Coverage& coverage =
      seen_[index_of(measure)].try_emplace(region->address, region->size).first->second;
  return {region->address, region->size, &coverage};
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

Measured Work::measured() const {
  const std::lock_guard lock(mutex_);
  Measured result = counted_;
  for (std::size_t measure = 0; measure < measure_count; ++measure) {
    for (const auto& [address, coverage] : seen_[measure]) result[measure] += coverage.bytes();
  }
  // What was written is covered as such; what was read is what was loaded.
  result[index_of(Measure::through_tma)] += result[index_of(Measure::bulk_loads)];
  return result;
}

void ClusterWork::cluster_starts(const Dimensions& /*first*/) {
  awaited_.clear();
}

void ClusterWork::cover(Measure measure, std::uint64_t address, std::size_t bytes) {
  Work::Covered& array = last_[index_of(measure)];
  if (array.coverage == nullptr || address - array.address >= array.size) {
    array = work_.array_at(measure, address);
    if (array.coverage == nullptr) return;
  }
  const std::uint64_t offset = address - array.address;
  array.coverage->add(offset, std::min<std::size_t>(bytes, array.size - offset));
}

void ClusterWork::accesses(const events::Access& access) {
  if (access.space == Space::global) {
    if (!access.is_copy || access.kind != Kind::load) return;
    for (const events::LaneAddress& lane : access.lanes) {
      cover(Measure::cp_async, lane.address, access.bytes);
    }
    return;
  }
  if (cluster_ctas_ == 1) return;
  const auto remote = std::ranges::count_if(access.lanes, [&](const events::LaneAddress& lane) {
    return shared_rank(static_cast<std::uint32_t>(lane.address)) != access.warp.rank;
  });
  if (remote != 0) {
    work_.add(Measure::distributed_shared_memory,
              static_cast<std::uint64_t>(remote) * access.bytes);
  }
}

void ClusterWork::issues(const events::Bulk& bulk) {
  if (bulk.kind == BulkKind::shared_to_shared || bulk.kind == BulkKind::reduce_to_shared) {
    if (shared_rank(bulk.shared) != shared_rank(bulk.target)) {
      work_.add(Measure::distributed_shared_memory, bulk.bytes);
    }
    return;
  }
  for (const Measure measure : Measures(bulk)) {
    for (const events::GlobalRange& range : bulk.global) {
      cover(measure, range.address, range.bytes);
    }
  }
}

void ClusterWork::arrives(const events::Arrival& arrival) {
  if (arrival.completes_phase) awaited_.insert(arrival.mbarrier);
}

void ClusterWork::sees_phase(const events::PhaseSeen& seen) {
  if (awaited_.erase(seen.mbarrier) != 0) work_.add(Measure::split_phases, 1);
}

LaunchWork::LaunchWork(Work& work, const LaunchRequest& request)
    : work_(work), cluster_ctas_(static_cast<unsigned>(request.cluster.count())) {
  work_.raise(Measure::cluster_ctas, cluster_ctas_);
}

Observer& LaunchWork::observe_cluster() {
  const std::lock_guard lock(mutex_);
  return clusters_.emplace_back(work_, cluster_ctas_);
}

}  // namespace tmaemu::stats
