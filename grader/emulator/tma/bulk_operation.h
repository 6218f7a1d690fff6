// An operation of the TMA engine, from its issue to its completion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/model/ids.h"
#include "emulator/tma/reduce.h"
#include "emulator/tma/tensor_map.h"
#include "emulator/tma/tile.h"

namespace tmaemu {

struct BulkOperation {
  using Kind = BulkKind;
  Kind kind = Kind::global_to_shared;
  bool is_tensor = false;
  std::shared_ptr<const tma::TensorMap> map;  // tensor operations
  std::uint64_t tensor_map = 0;               // its address, if that is in global memory
  std::array<std::int32_t, tma::max_coordinates> coordinates{};
  std::uint8_t coordinate_count = 0;
  std::uint64_t global = 0;     // bulk operations: the global address,
  std::byte* host = nullptr;    // and the host's view of the bytes there
  std::uint32_t shared = 0;     // shared::cluster address of the tile on the issuing side
  std::uint32_t target = 0;     // shared_to_shared: destination
  std::uint32_t bytes = 0;      // in shared memory
  std::uint32_t mbarrier = 0;   // shared::cluster address; loads and shared_to_shared
  std::uint16_t multicast = 0;  // CTA mask; 0: no multicast
  bool is_paired = false;       // .cta_group::2: the mbarrier may be that of a destination's peer
  tma::ReduceOperation operation = tma::ReduceOperation::add;
  tma::ReduceType type = tma::ReduceType::u32;
  ThreadId thread;
  std::uint32_t site = 0;

  // The rank of the CTA whose mbarrier counts the bytes that a multicast brings to `destination`:
  // its own, or of a pair of CTAs (ranks that differ in the last bit) the one that has the last bit
  // of `mbarrier`'s CTA.
  std::uint32_t signaled_by(std::uint32_t destination) const;

  // Whether shared memory of the CTA of this rank is written.
  bool writes_to(std::uint32_t rank) const;
  // Whether it is read.
  bool reads_from(std::uint32_t rank) const;

  tma::Coordinates place() const { return {coordinates.data(), coordinate_count}; }

  bool signals_mbarrier() const {
    return kind == Kind::global_to_shared || kind == Kind::shared_to_shared ||
           kind == Kind::reduce_to_shared;
  }

  // What it changes the tx-count by when it is done.
  std::uint64_t moved_bytes() const { return is_tensor ? map->transfer_bytes() : bytes; }

  // As observers see it. `global`: see events::Bulk.
  events::Bulk event(std::span<const events::GlobalRange> global = {}) const;
  std::uint8_t rank() const;            // of its tensor map; 0: none
  std::uint16_t swizzle_bytes() const;  // likewise
  std::uint32_t row_bytes() const;      // of a row of its box, see events::Bulk
  bool skips_elements() const;          // by the element strides of its tensor map
  std::uint8_t reduction() const;       // see tma::reduction_number; 0: none
  // The global memory that it reads or writes, piece by piece in the order of the tile. Pieces that
  // follow one another are one.
  std::vector<events::GlobalRange> global_ranges() const;

  // Progress, kept by the engine.
  std::uint64_t id = 0;
  std::uint64_t frees = 0;  // GlobalMemory::frees() at issue
  bool source_read = false;
  std::vector<std::byte> buffer;  // what was read from shared memory, not yet written
};

}  // namespace tmaemu
