#include "emulator/stats/work.h"

#include <algorithm>
#include <bit>

#include "emulator/memory/address_space.h"

namespace tmaemu::stats {
namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

// What a bulk operation counts as, if it is one from or to global memory.
MeasureSet measures_of(const events::Bulk& bulk) {
  MeasureSet measures = 0;
  const auto add = [&](Measure measure) { measures |= set_of(measure); };
  switch (bulk.kind) {
    case BulkKind::global_to_shared:
      add(Measure::bulk_loads);
      if (bulk.is_tensor) add(Measure::tensor_loads);
      if (std::popcount(bulk.multicast) > 1) add(Measure::multicast);
      if (bulk.is_paired && shared_rank(bulk.mbarrier) != shared_rank(bulk.shared)) {
        add(Measure::cta_pairs);
      }
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
      return 0;
  }
  if (bulk.kind != BulkKind::global_to_shared) add(Measure::through_tma);
  if (bulk.swizzle_bytes == 32) add(Measure::swizzle_32);
  if (bulk.swizzle_bytes == 64) add(Measure::swizzle_64);
  if (bulk.swizzle_bytes == 128) add(Measure::swizzle_128);
  return measures;
}

}  // namespace

ArrayWork* Work::array_at(std::uint64_t address) {
  const Region* region = memory_.find(address);
  if (region == nullptr || region->kind != RegionKind::imported) return nullptr;
  const std::lock_guard lock(mutex_);
  return &arrays_.try_emplace(region->address, *region).first->second;
}

void Work::copies(std::span<const StreamedBytes> bytes) {
  for (const StreamedBytes& piece : bytes) {
    ArrayWork* const array = array_at(piece.address);
    if (array == nullptr) continue;
    if (piece.use == StreamedBytes::Use::read) {
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

Measured Work::measured() const {
  const std::lock_guard lock(mutex_);
  Measured result = counted_;
  for (const auto& [address, array] : arrays_) {
    for (std::size_t measure = 0; measure < measure_count; ++measure) {
      result[measure] += array.measured(static_cast<Measure>(measure));
    }
  }
  // What was written is covered as such; what was read is what was loaded.
  result[index_of(Measure::through_tma)] += result[index_of(Measure::bulk_loads)];
  return result;
}

void ClusterWork::cluster_starts(const Dimensions& /*first*/) {
  awaited_.clear();
  overlap_.cluster_starts();
}

void ClusterWork::cluster_ends(events::End /*end*/) {
  if (overlapped_ != 0) work_.add(Measure::overlapped, overlapped_);
  overlapped_ = 0;
}

ArrayWork* ClusterWork::array_at(std::uint64_t address) {
  for (ArrayWork* const array : recent_) {
    if (array != nullptr && array->has(address)) return array;
  }
  ArrayWork* const found = work_.array_at(address);
  if (found != nullptr) recent_[oldest_++ % recent_.size()] = found;
  return found;
}

void ClusterWork::touch_global(const events::Access& access) {
  for (std::size_t i = 0; i < access.lanes.size();) {
    const std::uint64_t first = access.lanes[i].address;
    std::uint64_t end = first + access.bytes;
    while (++i < access.lanes.size() && access.lanes[i].address - first <= end - first) {
      end = std::max(end, access.lanes[i].address + access.bytes);
    }
    ArrayWork* const array = array_at(first);
    if (array == nullptr) continue;
    if (access.is_copy) {
      array->loads(array->way(set_of(Measure::cp_async)), first, end - first);
      continue;
    }
    switch (access.kind) {
      case Kind::load:
        array->reads_plainly(first, end - first);
        break;
      case Kind::store:
        array->writes_plainly(first, end - first);
        break;
      default:
        array->updates_plainly(first, end - first);
    }
  }
}

void ClusterWork::accesses(const events::Access& access) {
  if (access.space == Space::global) {
    if (access.kind == Kind::load || access.kind == Kind::store || access.kind == Kind::atomic) {
      touch_global(access);
    }
    return;
  }
  touch_shared(access);
}

void ClusterWork::touch_shared(const events::Access& access) {
  if (access.kind == Kind::load && overlap_.has_loads_in_flight(access.warp.rank)) {
    overlapped_ += access.lanes.size() * access.bytes;
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
  if (bulk.kind == BulkKind::global_to_shared) {
    overlap_.issues(bulk);
  } else if (overlap_.has_loads_in_flight(shared_rank(bulk.shared))) {
    overlapped_ += bulk.bytes;
  }
  if (bulk.kind == BulkKind::shared_to_shared || bulk.kind == BulkKind::reduce_to_shared) {
    if (shared_rank(bulk.shared) != shared_rank(bulk.target)) {
      work_.add(Measure::distributed_shared_memory, bulk.bytes);
    }
    return;
  }
  const MeasureSet measures = measures_of(bulk);
  ArrayWork* array = nullptr;
  ArrayWork::Way* way = nullptr;  // in that array
  for (const events::GlobalRange& range : bulk.global) {
    if (array == nullptr || !array->has(range.address)) {
      array = array_at(range.address);
      if (array == nullptr) continue;
      way = &array->way(measures);
    }
    switch (bulk.kind) {
      case BulkKind::global_to_shared:
        array->loads(*way, range.address, range.bytes);
        break;
      case BulkKind::shared_to_global:
        array->stores(*way, range.address, range.bytes);
        break;
      default:
        array->reduces(*way, range.address, range.bytes);
    }
  }
}

void ClusterWork::arrives(const events::Arrival& arrival) {
  if (arrival.completes_phase) awaited_.insert(arrival.mbarrier);
}

void ClusterWork::commits_copies(const events::Groups& groups) {
  overlap_.commits_copies(groups.thread);
}

void ClusterWork::awaits_copies(const events::Groups& wait) {
  overlap_.awaits_copies(wait);
}

void ClusterWork::orders_arrival(ThreadId /*thread*/, std::uint32_t mbarrier) {
  overlap_.orders_arrival(mbarrier);
}

void ClusterWork::sees_phase(const events::PhaseSeen& seen) {
  overlap_.sees_phase(seen.mbarrier);
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
