#include "emulator/tma/bulk_operation.h"

#include <span>

#include "emulator/memory/address_space.h"
#include "emulator/tma/paired_ctas.h"

namespace tmaemu {

std::uint32_t BulkOperation::signaled_by(std::uint32_t destination) const {
  return signaled_rank(destination, mbarrier, is_paired);
}

bool BulkOperation::writes_to(std::uint32_t rank) const {
  switch (kind) {
    case Kind::global_to_shared:
      return multicast != 0 ? (multicast >> rank & 1) != 0 : shared_rank(shared) == rank;
    case Kind::shared_to_shared:
    case Kind::reduce_to_shared:
      return shared_rank(target) == rank;
    default:
      return false;
  }
}

bool BulkOperation::reads_from(std::uint32_t rank) const {
  return kind != Kind::global_to_shared && shared_rank(shared) == rank;
}

events::Bulk BulkOperation::event(std::span<const events::GlobalRange> global) const {
  return {id,
          kind,
          thread,
          site,
          shared,
          target,
          bytes,
          moved_bytes(),
          mbarrier,
          multicast,
          is_paired,
          global,
          is_tensor,
          rank(),
          swizzle_bytes(),
          row_bytes(),
          skips_elements(),
          reduction(),
          tensor_map,
          is_tensor ? map->global_address : 0};
}

std::uint8_t BulkOperation::reduction() const {
  const bool reduces = kind == Kind::reduce_to_global || kind == Kind::reduce_to_shared;
  return reduces ? tma::reduction_number(operation, type) : std::uint8_t{0};
}

std::uint8_t BulkOperation::rank() const {
  return is_tensor ? static_cast<std::uint8_t>(map->rank) : std::uint8_t{0};
}

std::uint16_t BulkOperation::swizzle_bytes() const {
  const bool is_swizzled = is_tensor && map->swizzle != Swizzle::none;
  return is_swizzled ? static_cast<std::uint16_t>(swizzle_span(map->swizzle)) : std::uint16_t{0};
}

std::uint32_t BulkOperation::row_bytes() const {
  const bool has_rows = is_tensor && map->mode == tma::Mode::tiled && map->rank > 1 &&
                        map->interleave == tma::Interleave::none && !skips_elements();
  return has_rows ? static_cast<std::uint32_t>(map->box_size[0] * tma::size_of(map->type)) : 0;
}

bool BulkOperation::skips_elements() const {
  if (!is_tensor) return false;
  for (int dimension = 0; dimension < map->rank; ++dimension) {
    if (map->skips_along(dimension)) return true;
  }
  return false;
}

std::vector<events::GlobalRange> BulkOperation::global_ranges() const {
  std::vector<events::GlobalRange> ranges;
  const auto add = [&](std::uint64_t address, std::uint64_t length) {
    if (!ranges.empty() && ranges.back().address + ranges.back().bytes == address) {
      ranges.back().bytes += length;
    } else if (length != 0) {
      ranges.push_back({address, length});
    }
  };
  if (is_tensor) {
    tma::for_each_run(*map, place(), shared_offset(shared), [&](const tma::Run& run) {
      if (run.in_bounds) add(run.global_address, run.bytes);
    });
  } else if (host != nullptr) {
    add(global, bytes);
  }
  return ranges;
}

}  // namespace tmaemu
