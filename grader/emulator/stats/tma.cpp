#include "emulator/stats/tma.h"

#include <bit>

#include "emulator/memory/address_space.h"
#include "emulator/stats/sectors.h"
#include "emulator/tma/engine.h"

namespace tmaemu::stats {
namespace {

using Kind = BulkOperation::Kind;

struct GlobalSide {
  Count bytes = 0;
  Count sectors = 0;
};

// Pieces come in ascending order within a row, so that a sector is met again at once or never.
class GlobalPieces {
 public:
  void add(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t first = address / sector_bytes;
    const std::uint64_t last = (address + bytes - 1) / sector_bytes;
    side_.bytes += bytes;
    side_.sectors += last - first + (first == last_sector_ ? 0 : 1);
    last_sector_ = last;
  }
  GlobalSide result() const { return side_; }

 private:
  GlobalSide side_;
  std::uint64_t last_sector_ = ~std::uint64_t{0};
};

GlobalSide global_side(const BulkOperation& operation) {
  GlobalPieces pieces;
  if (!operation.is_tensor) {
    pieces.add(operation.global, operation.bytes);
    return pieces.result();
  }
  const auto rank = static_cast<std::size_t>(operation.map->rank);
  const tma::BoxWalk walk(*operation.map, {operation.coordinates.data(), rank});
  walk.for_each_row([&](std::uint64_t address, std::uint32_t, std::uint32_t begin,
                        std::uint32_t end) { pieces.add(address + begin, end - begin); });
  return pieces.result();
}

// Calls visit(rank) for every CTA whose shared memory a load fills.
template <class Visit>
void for_each_target(const BulkOperation& operation, Visit visit) {
  if (operation.multicast == 0) return visit(shared_rank(operation.shared));
  for (unsigned rest = operation.multicast; rest != 0; rest &= rest - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}

TmaTraffic& traffic_of(Counters& counters, Kind kind) {
  switch (kind) {
    case Kind::global_to_shared:
      return counters.tma.load;
    case Kind::shared_to_global:
      return counters.tma.store;
    case Kind::reduce_to_global:
      return counters.tma.atomic;
    case Kind::shared_to_shared:
    case Kind::reduce_to_shared:
      break;
  }
  return counters.tma_between_ctas;
}

bool has_global_side(Kind kind) {
  return kind != Kind::shared_to_shared && kind != Kind::reduce_to_shared;
}

}  // namespace

void TmaCounter::reset() {
  in_flight_.assign(in_flight_.size(), {});
}

void TmaCounter::issued(const BulkOperation& operation) {
  TmaTraffic& traffic = traffic_of(counters_, operation.kind);
  const Count moved =
      operation.is_tensor ? operation.map->transfer_bytes() : Count{operation.bytes};
  ++traffic.operations;
  if (has_global_side(operation.kind)) {
    const GlobalSide side = global_side(operation);
    traffic.global_bytes += side.bytes;
    traffic.global_sectors += side.sectors;
  }
  if (operation.kind != Kind::global_to_shared) {
    traffic.shared_bytes += moved;
    std::uint64_t& store = in_flight_[shared_rank(operation.shared)].store;
    store += operation.bytes;
    counters_.most_store_bytes_in_flight = std::max(counters_.most_store_bytes_in_flight, store);
    return;
  }
  for_each_target(operation, [&](std::uint32_t rank) {
    traffic.shared_bytes += moved;
    std::uint64_t& load = in_flight_[rank].load;
    load += operation.bytes;
    counters_.most_load_bytes_in_flight = std::max(counters_.most_load_bytes_in_flight, load);
  });
}

void TmaCounter::done(const BulkOperation& operation) {
  if (operation.kind != Kind::global_to_shared) {
    in_flight_[shared_rank(operation.shared)].store -= operation.bytes;
    return;
  }
  for_each_target(operation, [&](std::uint32_t rank) { in_flight_[rank].load -= operation.bytes; });
}

}  // namespace tmaemu::stats
