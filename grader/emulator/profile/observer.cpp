#include "emulator/profile/observer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/memory/address_space.h"
#include "emulator/observe/targets.h"
#include "emulator/profile/banks.h"
#include "emulator/profile/sectors.h"
#include "emulator/profile/tensor_clocks.h"

namespace tmaemu::profile {
namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

// Numbers are kept for the barrier at one place of shared memory, whichever the CTA.
BarrierId in_any_cta(BarrierId barrier) {
  if (barrier.kind == BarrierId::Kind::mbarrier) barrier.number = shared_offset(barrier.number);
  return barrier;
}

template <class Traffic>
Traffic& direction_of(ByDirection<Traffic>& traffic, Kind kind) {
  switch (kind) {
    case Kind::load:
    case Kind::matrix_load:
    case Kind::map_read:
      return traffic.load;
    case Kind::store:
    case Kind::matrix_store:
    case Kind::map_change:
    case Kind::map_copy:
      return traffic.store;
    case Kind::atomic:
      break;
  }
  return traffic.atomic;
}

SharedAccess shared_access(Kind kind) {
  switch (kind) {
    case Kind::load:
      return SharedAccess::load;
    case Kind::atomic:
      return SharedAccess::atomic;
    default:
      return SharedAccess::store;
  }
}

TmaTraffic& traffic_of(Counters& counters, BulkKind kind) {
  switch (kind) {
    case BulkKind::global_to_shared:
      return counters.tma.load;
    case BulkKind::shared_to_global:
      return counters.tma.store;
    case BulkKind::reduce_to_global:
      return counters.tma.atomic;
    case BulkKind::shared_to_shared:
    case BulkKind::reduce_to_shared:
      break;
  }
  return counters.tma_between_ctas;
}

// Pieces come in ascending order within a row, so that a sector is met again at once or never.
Count sectors_of(std::span<const events::GlobalRange> ranges) {
  Count sectors = 0;
  std::uint64_t last_sector = ~std::uint64_t{0};
  for (const events::GlobalRange& range : ranges) {
    const std::uint64_t first = range.address / sector_bytes;
    const std::uint64_t last = (range.address + range.bytes - 1) / sector_bytes;
    sectors += last - first + (first == last_sector ? 0 : 1);
    last_sector = last;
  }
  return sectors;
}

}  // namespace

void ClusterCounter::cluster_starts(const Dimensions& /*first*/) {
  in_flight_.clear();
}

void ClusterCounter::executes(const events::Instruction& instruction) {
  ++counters_.warp_instructions;
  counters_.thread_instructions += static_cast<unsigned>(std::popcount(instruction.active));
  count_product(instruction, 1);
}

void ClusterCounter::puts_off(const events::Instruction& instruction) {
  counters_.thread_instructions -= static_cast<unsigned>(std::popcount(instruction.effective));
  if (instruction.effective == instruction.active) --counters_.warp_instructions;
  count_product(instruction, ~Count{0});
}

void ClusterCounter::count_product(const events::Instruction& instruction, Count times) {
  if (instruction.site >= effects_.size()) return;  // of a body's end
  const tensor::Product* const product = effects_[instruction.site].product;
  if (product == nullptr || instruction.effective == 0) return;
  const Count of_each = Count{product->m} * product->n * product->k;
  counters_.multiplications[instruction.site].merge(
      {times, times * of_each, times * tensor_clocks(*product)});
}

void ClusterCounter::accesses(const events::Access& access) {
  if (access.kind >= Kind::map_change) return;  // no traffic that anybody counts
  if (access.space == Space::global) {
    count_global(access);
  } else {
    count_shared(access);
  }
}

void ClusterCounter::count_global(const events::Access& access) {
  std::array<std::uint64_t, warp_size> addresses;
  std::ranges::transform(access.lanes, addresses.begin(), &events::LaneAddress::address);
  const std::span<const std::uint64_t> all(addresses.data(), access.lanes.size());
  const Asked asked{all.size() * access.bytes, count_blocks(all, access.bytes) * access.bytes};
  const Count sectors = count_blocks(all, sector_bytes);
  direction_of(counters_.global, access.kind).add(asked, sectors);
  const Count enough = (asked.distinct + sector_bytes - 1) / sector_bytes;
  if (sectors > enough) counters_.excess[access.site].sectors += sectors - enough;
}

void ClusterCounter::count_shared(const events::Access& access) {
  std::array<LaneOffset, warp_size> lanes;
  std::array<std::uint64_t, warp_size> offsets;
  std::size_t own = 0;
  Count remote = 0;
  for (const events::LaneAddress& lane : access.lanes) {
    const auto address = static_cast<std::uint32_t>(lane.address);
    if (shared_rank(address) != access.warp.rank) {
      ++remote;
      continue;
    }
    offsets[own] = shared_offset(address);
    lanes[own++] = {lane.lane, shared_offset(address)};
  }
  const Count bytes = access.bytes;
  if (own != 0) {
    const Wavefronts needed =
        count_wavefronts({lanes.data(), own}, access.bytes, shared_access(access.kind));
    const Asked asked{own * bytes, count_blocks({offsets.data(), own}, access.bytes) * bytes};
    direction_of(counters_.shared, access.kind).add(asked, needed);
    if (needed.conflicts() != 0) counters_.excess[access.site].conflicts += needed.conflicts();
  }
  if (remote != 0) {
    direction_of(counters_.remote_shared, access.kind).add({remote * bytes, remote * bytes}, 0);
  }
}

void ClusterCounter::waits(const events::Wait& wait) {
  ++counters_.waits[in_any_cta(wait.barrier)].waits;
}

void ClusterCounter::sleeps(const events::Wait& wait) {
  ++counters_.waits[in_any_cta(wait.barrier)].slept;
}

ClusterCounter::InFlight& ClusterCounter::in_flight(std::uint32_t rank) {
  if (in_flight_.size() <= rank) in_flight_.resize(rank + 1);
  return in_flight_[rank];
}

void ClusterCounter::issues(const events::Bulk& bulk) {
  TmaTraffic& traffic = traffic_of(counters_, bulk.kind);
  ++traffic.operations;
  for (const events::GlobalRange& range : bulk.global) traffic.global_bytes += range.bytes;
  traffic.global_sectors += sectors_of(bulk.global);
  if (bulk.kind != BulkKind::global_to_shared) {
    traffic.shared_bytes += bulk.moved_bytes;
    std::uint64_t& store = in_flight(shared_rank(bulk.shared)).store;
    store += bulk.bytes;
    counters_.most_store_bytes_in_flight = std::max(counters_.most_store_bytes_in_flight, store);
    return;
  }
  for_each_target(bulk, [&](std::uint32_t rank) {
    traffic.shared_bytes += bulk.moved_bytes;
    std::uint64_t& load = in_flight(rank).load;
    load += bulk.bytes;
    counters_.most_load_bytes_in_flight = std::max(counters_.most_load_bytes_in_flight, load);
  });
}

void ClusterCounter::releases_source(const events::Bulk& bulk) {
  in_flight(shared_rank(bulk.shared)).store -= bulk.bytes;
}

void ClusterCounter::finishes(const events::Bulk& bulk) {
  if (bulk.kind != BulkKind::global_to_shared) return;
  for_each_target(bulk, [&](std::uint32_t rank) { in_flight(rank).load -= bulk.bytes; });
}

Observer& LaunchCounter::observe_cluster() {
  const std::lock_guard lock(mutex_);
  return clusters_.emplace_back(program_);
}

Counters LaunchCounter::sum() const {
  Counters sum;
  for (const ClusterCounter& cluster : clusters_) sum.merge(cluster.counters());
  return sum;
}

}  // namespace tmaemu::profile
