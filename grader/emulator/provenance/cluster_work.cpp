#include <algorithm>
#include <bit>

#include "emulator/memory/address_space.h"
#include "emulator/provenance/work.h"

namespace tmaemu::provenance {
namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

constexpr std::uint32_t chunk_bytes = 16;

// Whether a swizzle changes the places of any chunks of the tile. Of a row or a column that lies in
// a line which the swizzle leaves as it is, whoever has never found its pattern can make use.
bool moves_chunks(const events::Bulk& bulk) {
  constexpr std::uint32_t line_bytes = 128;
  if (bulk.swizzle_bytes == 0 || bulk.bytes == 0) return false;
  const std::uint32_t period = bulk.swizzle_bytes / chunk_bytes;  // every so many lines one is left
  const std::uint32_t last = (bulk.shared + bulk.bytes - 1) / line_bytes;
  return bulk.shared / line_bytes != last || last % period != 0;
}

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
  if (bulk.skips_elements) add(Measure::element_strides);
  for (unsigned rank = 2; rank <= bulk.rank; ++rank) measures |= set_of(measure_of_rank(rank));
  if (moves_chunks(bulk)) {
    if (bulk.swizzle_bytes == 32) add(Measure::swizzle_32);
    if (bulk.swizzle_bytes == 64) add(Measure::swizzle_64);
    if (bulk.swizzle_bytes == 128) add(Measure::swizzle_128);
  }
  return measures;
}

}  // namespace

ClusterWork::ClusterWork(Work& work, const Steps* steps, Residency& residency)
    : work_(work),
      residency_(residency),
      multicasts_([this](const events::Bulk& load, bool is_shared) {
        const MeasureSet measures = measures_of(load);
        count(load, is_shared ? measures : measures | unshared_multicast);
      }) {
  if (steps != nullptr) origins_.emplace(*steps, work.turned_signs());
}

void ClusterWork::may_look_at(SharedViews& views) {
  if (origins_) origins_->may_look_at(views);
}

void ClusterWork::cluster_starts(const Dimensions& /*first*/) {
  overlap_.cluster_starts();
  knows_input_ = false;
  if (origins_) origins_->cluster_starts();
}

void ClusterWork::initializes(std::uint32_t mbarrier, std::int64_t /*count*/, ThreadId /*thread*/,
                              std::uint32_t /*site*/) {
  if (origins_) origins_->initializes(mbarrier);
}

void ClusterWork::executes(const events::Instruction& instruction) {
  if (origins_) origins_->executes(instruction);
}

void ClusterWork::completes_barrier(BarrierId barrier, std::uint16_t rank) {
  if (origins_) origins_->completes_barrier(barrier, rank);
}

void ClusterWork::cluster_ends(events::End /*end*/) {
  multicasts_.cluster_ends();
  if (overlapped_ != 0) work_.add(Measure::overlapped, overlapped_);
  overlapped_ = 0;
  if (!origins_) return;
  work_.add(Measure::split_phases, origins_->phases());
  work_.add(Measure::later_phases, origins_->later_phases());
  work_.add(Measure::polls, origins_->polls());
  work_.raise(Measure::grown_warpgroups, origins_->grown_warpgroups());
}

ArrayWork* ClusterWork::array_at(std::uint64_t address) {
  for (ArrayWork* const array : recent_) {
    if (array != nullptr && array->has(address)) return array;
  }
  ArrayWork* const found = work_.array_at(address);
  if (found != nullptr) recent_[oldest_++ % recent_.size()] = found;
  return found;
}

// News are counted by pieces of 16 bytes, of which several lanes may copy a part each, in any
// order, as where a tile is turned around.
std::span<const events::LaneAddress> ClusterWork::by_address(
    std::span<const events::LaneAddress> lanes) {
  if (std::ranges::is_sorted(lanes, {}, &events::LaneAddress::address)) return lanes;
  const std::span sorted = std::span(sorted_).first(lanes.size());
  std::ranges::copy(lanes, sorted.begin());
  std::ranges::sort(sorted, {}, &events::LaneAddress::address);
  return sorted;
}

void ClusterWork::touch_global(const events::Access& access) {
  const auto lanes = access.is_copy ? by_address(access.lanes) : access.lanes;
  if (access.is_copy) overlap_.begins_copies();
  for (std::size_t i = 0; i < lanes.size();) {
    const std::uint64_t first = lanes[i].address;
    const unsigned first_lane = lanes[i].lane;
    std::uint64_t end = first + access.bytes;
    while (++i < lanes.size() && lanes[i].address - first <= end - first) {
      end = std::max(end, lanes[i].address + access.bytes);
    }
    ArrayWork* const array = array_at(first);
    if (array == nullptr) {
      touch_own(access, first_lane, first, end - first);
      continue;
    }
    knows_input_ |= access.kind != Kind::store;
    if (access.is_copy) {
      const auto thread = static_cast<std::uint16_t>(access.warp.index * warp_size + first_lane);
      overlap_.copies({access.warp.rank, thread}, array->news(first, end - first));
      array->loads(array->way(set_of(Measure::cp_async)), first, end - first);
      continue;
    }
    switch (access.kind) {
      case Kind::load:
        array->reads_plainly(first, end - first);
        break;
      case Kind::store:
        array->writes_plainly(first, end - first);
        if (access.bytes >= Coverage::granule) array->is_stored_wide(first, end - first);
        break;
      default:
        array->updates_plainly(first, end - first);
    }
    if (access.kind != Kind::load && residency_.holds()) {
      array->is_of_resident_ctas(first, end - first);
    }
  }
}

void ClusterWork::touch_own(const events::Access& access, unsigned lane, std::uint64_t address,
                            std::uint64_t bytes) {
  if (access.kind != Kind::load && origins_) {
    const Origins::Written written = origins_->written_by_lane(access, lane);
    if (written.is_multiplied) return work_.detours().keeps_products(address, bytes);
    // The share of a sum that has nothing to add. An atomic may bring what it finds there.
    if (written.is_constant) {
      if (access.kind != Kind::store) learns(address, bytes);
      return;
    }
  }
  detour(access.kind, address, bytes);
}

void ClusterWork::follow_global(const events::Access& access) {
  if (access.kind != Kind::store) {
    LaneMask products = 0;
    if (work_.detours().has_products()) {
      for (const events::LaneAddress& lane : access.lanes) {
        if (work_.detours().are_products(lane.address)) products |= LaneMask{1} << lane.lane;
      }
    }
    origins_->loads_global(access, products);
  }
  if (access.kind == Kind::load) return;
  for (const events::LaneAddress& lane : access.lanes) {
    if (ArrayWork* const array = array_at(lane.address)) {
      array->came_from(origins_->written_by_lane(access, lane.lane), lane.address, access.bytes);
    }
  }
}

void ClusterWork::accesses(const events::Access& access) {
  if (access.space == Space::global) {
    if (access.kind == Kind::load || access.kind == Kind::store || access.kind == Kind::atomic) {
      touch_global(access);
      if (origins_) follow_global(access);
    }
    return;
  }
  touch_shared(access);
}

void ClusterWork::accesses_local(const events::Access& access) {
  if (origins_) origins_->accesses_local(access);
}

void ClusterWork::copies_local(WarpId warp, unsigned lane, std::uint32_t from, std::uint32_t to,
                               std::uint32_t bytes) {
  if (origins_) origins_->copies_local(warp, lane, from, to, bytes);
}

void ClusterWork::touch_shared(const events::Access& access) {
  const bool is_load = access.kind == Kind::load || access.kind == Kind::matrix_load;
  if (is_load && !multicasts_.is_empty()) {
    for (const events::LaneAddress& lane : access.lanes) {
      const auto address = static_cast<std::uint32_t>(lane.address);
      if (shared_rank(address) == access.warp.rank) multicasts_.reads(address, access.bytes);
    }
  }
  for (const events::LaneAddress& lane : access.lanes) {
    const auto address = static_cast<std::uint32_t>(lane.address);
    if (is_load) overlapped_ += overlap_.reads(access.warp.rank, address, access.bytes);
    if (access.is_copy) {
      overlap_.copies_to(access.warp.rank, shared_offset(address), access.bytes);
    }
  }
  if (origins_) origins_->accesses_shared(access);
}

void ClusterWork::issues(const events::Bulk& bulk) {
  if (origins_) {
    const bool of_products = bulk.kind == BulkKind::global_to_shared && !bulk.global.empty() &&
                             work_.detours().are_products(bulk.global.front().address);
    origins_->issues(bulk, of_products);
  }
  if (bulk.kind == BulkKind::global_to_shared) {
    std::uint64_t news = 0;
    for (const events::GlobalRange& range : bulk.global) {
      ArrayWork* const from = array_at(range.address);
      if (from != nullptr) news += from->asks(range.address, range.bytes);
      knows_input_ |= from != nullptr || work_.detours().tell(range.address, range.bytes);
    }
    overlap_.issues(bulk, news);
  } else {
    multicasts_.reads(bulk.shared, bulk.bytes);
    overlapped_ += overlap_.reads(shared_rank(bulk.shared), bulk.shared, bulk.bytes);
  }
  if (bulk.kind == BulkKind::shared_to_shared || bulk.kind == BulkKind::reduce_to_shared) return;
  if (std::popcount(bulk.multicast) > 1) {
    multicasts_.issues(bulk);
  } else {
    count(bulk, measures_of(bulk));
  }
  if (origins_ && bulk.kind != BulkKind::global_to_shared) follow_bulk(bulk);
}

void ClusterWork::count(const events::Bulk& bulk, MeasureSet measures) {
  ArrayWork* array = nullptr;
  ArrayWork::Way* way = nullptr;  // in that array
  for (const events::GlobalRange& range : bulk.global) {
    if (array == nullptr || !array->has(range.address)) {
      array = array_at(range.address);
      if (array == nullptr) {
        detour(bulk.kind, range);
        continue;
      }
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
    if (bulk.kind != BulkKind::global_to_shared && residency_.holds()) {
      array->is_of_resident_ctas(range.address, range.bytes);
    }
  }
}

void ClusterWork::learns(std::uint64_t address, std::uint64_t bytes) {
  knows_input_ = knows_input_ || work_.detours().tell(address, bytes);
  work_.detours().reads(address, bytes);
}

void ClusterWork::detour(events::Access::Kind kind, std::uint64_t address, std::uint64_t bytes) {
  switch (kind) {
    case Kind::load:
      return learns(address, bytes);
    case Kind::store:
      return work_.detours().writes(address, bytes, knows_input_);
    default:
      learns(address, bytes);
      work_.detours().updates(address, bytes, knows_input_);
  }
}

// A reduction adds to what is there, and does not bring it into shared memory.
void ClusterWork::detour(BulkKind kind, const events::GlobalRange& range) {
  if (kind == BulkKind::global_to_shared) {
    learns(range.address, range.bytes);
  } else {
    work_.detours().writes(range.address, range.bytes, knows_input_);
  }
}

void ClusterWork::follow_bulk(const events::Bulk& bulk) {
  std::uint32_t from = bulk.shared;
  const auto follow = [&](std::uint64_t to, std::uint64_t bytes, std::uint64_t tile_bytes) {
    ArrayWork* const array = array_at(to);
    const Origins::Written written = origins_->written_from(bulk.thread, from, tile_bytes);
    if (array != nullptr) {
      array->came_from(written, to, bytes);
    } else if (written.is_multiplied) {
      work_.detours().keeps_products(to, bytes);
    }
  };
  for (const events::GlobalRange& range : bulk.global) {
    // Where in a tile a row of the tensor lies is not asked: it is as the whole tile is.
    if (bulk.is_tensor) {
      follow(range.address, range.bytes, bulk.bytes);
      continue;
    }
    for (std::uint64_t done = 0; done < range.bytes; done += Coverage::granule) {
      follow(range.address + done, Coverage::granule, Coverage::granule);
      from += static_cast<std::uint32_t>(Coverage::granule);
    }
  }
}

void ClusterWork::issues_product(const events::WarpgroupProduct& product) {
  if (!multicasts_.is_empty()) {
    for (const auto units : {product.own_units, product.common_units}) {
      for (const std::uint32_t unit : units) multicasts_.reads(unit, chunk_bytes);
    }
  }
  if (origins_) origins_->issues_product(product);
}

void ClusterWork::arrives(const events::Arrival& arrival) {
  if (origins_) origins_->arrives(arrival);
}

void ClusterWork::commits_copies(const events::Groups& groups) {
  overlap_.commits_copies(groups.thread);
}

void ClusterWork::awaits_copies(const events::Groups& wait) {
  overlap_.awaits_copies(wait);
}

void ClusterWork::orders_arrival(const events::OrderedArrival& arrival) {
  overlap_.orders_arrival(arrival.thread, arrival.mbarrier);
}

void ClusterWork::sees_phase(const events::PhaseSeen& seen) {
  overlap_.sees_phase(seen.mbarrier);
  if (origins_) origins_->sees_phase(seen);
}

}  // namespace tmaemu::provenance
