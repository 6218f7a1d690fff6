// PTX ISA, "Data Movement: Tensor copy instructions": cp.async.bulk.tensor and
// cp.reduce.async.bulk.tensor.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/isa/tma/bulk.h"
#include "emulator/tma/operation_rules.h"

namespace tmaemu {
namespace {

constexpr unsigned tile_alignment = 128;  // of a tile in shared memory
constexpr unsigned map_alignment = 64;    // of a tensor map

const BulkForm& form_of(const Operation& op) {
  return *static_cast<const BulkForm*>(op.detail);
}

void check_acquired(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address) {
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->uses_tensor_map({warp.thread(lane), op.site, address});
  }
  const TensorMapChanges& changes = *warp.cta().cluster.launch.map_changes;
  const auto missed = changes.missed_by(warp.cta().number(), address);
  if (!missed) return;
  Finding finding = finding_at(warp, op, lane, Sentence::tensor_map_not_acquired);
  finding.notes.push_back({NoteSentence::map_changed_here, *missed});
  report(warp, finding);
}

// The tensor map that the operand points to.
const TensorMapCache::Maps& tensor_map(Warp& warp, const Operation& op, unsigned lane) {
  const std::uint64_t address = address_of(warp, form_of(op).global, lane);
  require_multiple(warp, op, lane, address, map_alignment, "the address of a tensor map");
  const Place first =
      resolve(warp, op, lane, AddressSpace::generic, address, map_alignment, AccessKind::load);
  resolve(warp, op, lane, AddressSpace::generic, address + tma::opaque_bytes - map_alignment,
          map_alignment, AccessKind::load);
  if (in_window(address, local_window)) {
    report(warp, finding_at(warp, op, lane, Sentence::tensor_map_in_local_memory));
  } else if (in_window(address, shared_window)) {
    report(warp, finding_at(warp, op, lane, Sentence::tensor_map_in_shared_memory));
  }
  check_acquired(warp, op, lane, address);
  TensorMapCache& cache = warp.cta().cluster.tensor_maps;
  const auto cached = cache.find(first.bytes);
  if (cached != nullptr) return *cached;
  const auto map =
      tma::decode(std::span<const std::byte, tma::opaque_bytes>(first.bytes, tma::opaque_bytes));
  // tensormap.replace makes maps that no driver has looked at, and so does who writes their bytes.
  const common::Status valid = map ? tma::validate(*map) : common::Status(map.error());
  if (!valid) {
    Finding finding = finding_at(warp, op, lane, Sentence::tensor_map_invalid);
    finding.rule = valid.error().message;
    report(warp, finding);
    warp.fault(op, lane, Sentence::tensor_map_unusable);
  }
  return cache.insert(first.bytes, *map);
}

[[noreturn]] void refuse_operation(const Warp& warp, const Operation& op, unsigned lane,
                                   Sentence sentence, const std::string& rule) {
  Finding finding = finding_at(warp, op, lane, sentence);
  finding.rule = rule;
  throw KernelFault{finding};
}

// "8 x 4 elements of 4 bytes"
std::string elements_of_box(const tma::TensorMap& map) {
  std::string text;
  if (map.mode == tma::Mode::im2col) {
    text = std::to_string(map.channels_per_pixel) + " x " + std::to_string(map.pixels_per_column);
  } else {
    for (int d = 0; d < map.rank; ++d) {
      text += (d == 0 ? "" : " x ") + std::to_string(map.box_extent(d));
    }
  }
  const std::size_t bytes = map.position_bytes();
  return text + " elements of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// Refuses a box that ends outside of shared memory, unless a GPU goes on there.
[[gnu::noinline]] void refuse_box(const Warp& warp, const Operation& op, unsigned lane,
                                  const tma::TensorMap& map, std::uint32_t shared) {
  const Cluster& cluster = warp.cta().cluster;
  const Values values{elements_of_box(map), map.box_bytes(), common::hexadecimal(shared),
                      cluster.launch.shared_bytes - h200::reserved_shared_bytes_per_cta};
  if (!cluster.maps(shared, map.box_bytes())) {
    warp.fault(op, lane, Sentence::box_beyond_shared, values);
  }
  notice(warp, finding_at(warp, op, lane, Sentence::shared_box_unreported, values));
}

// How many bytes an operation takes is the map's to say, not the instruction's: where the tile
// begins in shared memory and the box ends outside of it, it is the box that is too large.
std::uint32_t tile_address(Warp& warp, const Operation& op, unsigned lane,
                           const tma::TensorMap& map, std::uint32_t bytes) {
  const Cluster& cluster = warp.cta().cluster;
  const std::uint64_t address = address_of(warp, form_of(op).shared, lane);
  const std::uint64_t shared =
      in_window(address, shared_window) ? address - shared_window : address;
  const auto begin = static_cast<std::uint32_t>(shared);
  if (shared < window_size && !cluster.has(begin, bytes) && cluster.has(begin, 1)) {
    refuse_box(warp, op, lane, map, begin);
    return begin;
  }
  return shared_address(warp, op, lane, form_of(op).shared, bytes,
                        {"the tile of a TMA instruction"});
}

// Every byte of the tensor that the box covers must be in memory that a GPU maps, and should be in
// an allocation.
void check_global(Warp& warp, const Operation& op, unsigned lane, const BulkOperation& operation) {
  const tma::TensorMap& map = *operation.map;
  // Of a valid map the sum is less than 2^75.
  __extension__ using Wide = unsigned __int128;
  Wide extent = map.position_bytes() * map.global_size[0];
  for (int d = 1; d < map.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    extent += Wide{map.global_size[i] - 1} * map.global_stride[i - 1];
  }
  if (extent < device_range_size &&
      warp.global(map.global_address, static_cast<std::size_t>(extent)) != nullptr) {
    return;
  }
  bool is_noticed = false;
  tma::for_each_run(map, operation.place(), shared_offset(operation.shared),
                    [&](const tma::Run& run) {
                      if (!run.in_bounds || warp.global(run.global_address, run.bytes) != nullptr)
                        return;
                      const GlobalMemory& memory = *warp.cta().cluster.launch.memory;
                      const Values values{memory.describe(run.global_address)};
                      if (memory.reach(run.global_address, run.bytes) == nullptr) {
                        warp.fault(op, lane, Sentence::box_outside, values);
                      }
                      if (!std::exchange(is_noticed, true)) {
                        notice(warp, finding_at(warp, op, lane, Sentence::box_unreported, values));
                      }
                    });
}

// The mbarrier lies in the CTA of the tile, or with .cta_group::2 in that CTA's pair. A multicast
// takes the offset alone, and with .cta_group::2 the last bit of the rank.
void check_mbarrier_place(Warp& warp, const Operation& op, unsigned lane,
                          const BulkOperation& operation) {
  const Cluster& cluster = warp.cta().cluster;
  for (u32 rest = operation.multicast; rest != 0; rest &= rest - 1) {
    const u32 rank = operation.signaled_by(static_cast<u32>(std::countr_zero(rest)));
    if (rank < cluster.ctas.size()) continue;
    warp.fault(op, lane, Sentence::pair_beyond_cluster, {rank, cluster.ctas.size()});
  }
  if (operation.multicast != 0) return;
  const u32 tile = shared_rank(operation.shared);
  const u32 mbarrier = shared_rank(operation.mbarrier);
  if (operation.is_paired ? tile / 2 == mbarrier / 2 : tile == mbarrier) return;
  warp.fault(
      op, lane,
      operation.is_paired ? Sentence::mbarrier_apart_from_pair : Sentence::mbarrier_apart_from_tile,
      {tile, mbarrier});
}

const Operation* issue(Warp& warp, const Operation& op, LaneMask lanes) {
  const BulkForm& form = form_of(op);
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const TensorMapCache::Maps& maps = tensor_map(warp, op, lane);
    const tma::TensorMap& map = *maps.read;
    BulkOperation operation;
    operation.kind = form.kind;
    operation.is_tensor = true;
    const std::uint64_t map_address = address_of(warp, form.global, lane);
    if (warp.global(map_address, tma::opaque_bytes) != nullptr) operation.tensor_map = map_address;
    const bool writes_global = form.kind != BulkOperation::Kind::global_to_shared;
    operation.map = writes_global ? maps.written : maps.read;
    // The driver accepts boxes of 4 GiB and more. No shared memory takes the largest number.
    operation.bytes = static_cast<u32>(std::min<std::size_t>(map.box_bytes(), ~u32{0}));
    operation.thread = warp.thread(lane);
    operation.site = op.site;
    for (const Slot slot : form.coordinates) {
      operation.coordinates[operation.coordinate_count++] = warp.lanes<s32>(slot)[lane];
    }
    for (const Slot slot : form.offsets) {
      operation.coordinates[operation.coordinate_count++] = warp.lanes<u16>(slot)[lane];
    }
    const auto refused = tma::check_operation(
        map, form.mode, operation.place().first(form.coordinates.size()),
        operation.place().subspan(form.coordinates.size()),
        writes_global ? tma::Direction::to_global : tma::Direction::from_global);
    if (refused) refuse_operation(warp, op, lane, refused->sentence, refused->rule);
    operation.shared = tile_address(warp, op, lane, map, operation.bytes);
    require_multiple(warp, op, lane, operation.shared, tile_alignment,
                     "the shared address of a TMA tile");
    check_global(warp, op, lane, operation);
    if (form.kind == BulkOperation::Kind::reduce_to_global) {
      const auto type = tma::reduce_type_of(form.operation, map.type);
      if (!type) {
        refuse_operation(warp, op, lane, Sentence::tensor_reduction_of_no_type,
                         type.error().message);
      }
      operation.operation = form.operation;
      operation.type = *type;
    }
    if (operation.signals_mbarrier()) {
      operation.mbarrier = completion_mbarrier(warp, op, lane, form);
      operation.multicast = multicast_mask(warp, op, lane, form, operation.shared, operation.bytes);
      operation.is_paired = form.is_paired;
      check_mbarrier_place(warp, op, lane, operation);
    }
    cluster.engine.issue(std::move(operation));
  }
  return &op + 1;
}

constexpr Choice<int> ranks[] = {{"1d", 1}, {"2d", 2}, {"3d", 3}, {"4d", 4}, {"5d", 5}};

// [map, {coordinates}]; of one coordinate the braces may be missing.
void decode_tensor_operand(Decoder& decoder, const ptx::Operand& operand, int rank,
                           BulkForm& form) {
  if (operand.kind != ptx::Operand::Kind::tensor_address || operand.elements.size() != 2) {
    refuse("needs [tensor map, {coordinates}]");
  }
  const std::span<const ptx::Operand> list = elements_of(operand.elements[1]);
  if (list.size() != static_cast<std::size_t>(rank)) refuse("needs one coordinate each dimension");
  ptx::Operand map = operand.elements[0];
  map.base_is_register = map.base_is_register || map.kind == ptx::Operand::Kind::reg;
  map.kind = ptx::Operand::Kind::address;
  form.global = bulk_address(decoder, map, AddressSpace::generic);
  decoder.note_read(operand);
  for (const ptx::Operand& coordinate : list) {
    form.coordinates.push_back(decoder.source(coordinate, 4));
  }
}

// {im2col offsets}
void decode_offsets(Decoder& decoder, const ptx::Operand& operand, int rank, BulkForm& form) {
  const auto offsets = elements_of(operand);
  if (static_cast<int>(offsets.size()) != rank - 2) {
    refuse("needs an im2col offset each dimension but two");
  }
  for (const ptx::Operand& offset : offsets) form.offsets.push_back(decoder.source(offset, 2));
}

// The mode, tiled where none is named: of loads and prefetches, which have im2col offsets, and of
// stores, which name that they have none.
tma::Mode take_mode(Instruction& instruction, int rank, std::string_view im2col) {
  if (rank >= 3 && instruction.take(im2col)) return tma::Mode::im2col;
  instruction.take("tile");
  return tma::Mode::tiled;
}

void keep(Decoder& decoder, Operation& op, BulkForm form) {
  decoder.program().uses_async_proxy = true;
  op.detail = decoder.program().keep(std::move(form));
  op.execute = issue;
}

// .{shared::cta,shared::cluster}.global{.mode}.mbarrier::complete_tx::bytes
//     {.multicast::cluster}{.cta_group::1,2}{.L2::cache_hint}
//     [tile], [map, {c}], [mbarrier] {, {im2col offsets}} {, mask} {, policy}
void decode_load(Decoder& decoder, Instruction& instruction, Operation& op, int rank,
                 bool may_multicast) {
  BulkForm form;
  form.kind = BulkOperation::Kind::global_to_shared;
  form.mode = take_mode(instruction, rank, "im2col");
  form.is_paired = instruction.take_one_of({"cta_group::1", "cta_group::2"}) == "cta_group::2";
  take_cache_policy(decoder, instruction);
  if (may_multicast) take_multicast(decoder, instruction, form);
  const bool has_offsets = form.mode == tma::Mode::im2col;
  instruction.expect_operands(has_offsets ? 4 : 3);
  form.shared = bulk_address(decoder, instruction.operand(0), AddressSpace::shared_cluster);
  decoder.effects().copies = true;
  decoder.effects().address = 0;
  decoder.effects().loads_tile = true;
  decode_tensor_operand(decoder, instruction.operand(1), rank, form);
  form.mbarrier = bulk_address(decoder, instruction.operand(2), AddressSpace::shared_cluster);
  if (has_offsets) decode_offsets(decoder, instruction.operand(3), rank, form);
  keep(decoder, op, std::move(form));
}

// .global.shared::cta{.mode}.bulk_group{.L2::cache_hint} [map, {c}], [tile] {, policy}
void decode_store(Decoder& decoder, Instruction& instruction, Operation& op, int rank,
                  BulkForm form) {
  form.mode = take_mode(instruction, rank, "im2col_no_offs");
  take_cache_policy(decoder, instruction);
  instruction.expect_operands(2);
  decode_tensor_operand(decoder, instruction.operand(0), rank, form);
  form.shared = bulk_address(decoder, instruction.operand(1), AddressSpace::shared);
  decoder.effects().copies = true;
  decoder.effects().address = 1;
  keep(decoder, op, std::move(form));
}

// cp.async.bulk.tensor.Nd.target.source...
void decode_copy(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const int rank = instruction.require_one_of(ranks, "rank");
  const BulkDirection& direction = take_direction(instruction);
  switch (direction.copy) {
    case BulkOperation::Kind::global_to_shared:
      return decode_load(decoder, instruction, op, rank, direction.target == "shared::cluster");
    case BulkOperation::Kind::shared_to_global: {
      BulkForm form;
      form.kind = direction.copy;
      return decode_store(decoder, instruction, op, rank, std::move(form));
    }
    default:
      refuse("copies between two shared memories");
  }
}

// cp.reduce.async.bulk.tensor.Nd.global.shared::cta.op{.mode}.bulk_group{.L2::cache_hint}
void decode_reduction(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  const int rank = instruction.require_one_of(ranks, "rank");
  BulkForm form;
  form.kind = take_direction(instruction).reduction;
  if (form.kind != BulkOperation::Kind::reduce_to_global) refuse("reduces to shared memory");
  form.operation = take_reduction(instruction);
  // The element type is known only when the tensor map is: a floating sum depends on the order.
  decoder.program().is_ordered = true;
  decode_store(decoder, instruction, op, rank, std::move(form));
}

// Prefetches bring bytes into the L2 cache, which no program can see.
const Operation* prefetch(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}

// cp.async.bulk.prefetch.tensor.Nd.L2.global{.mode}{.L2::cache_hint}
//     [map, {c}] {, {im2col offsets}} {, policy}
void decode_prefetch(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  BulkForm form;
  const int rank = instruction.require_one_of(ranks, "rank");
  instruction.require("L2");
  instruction.require("global");
  const bool has_offsets = take_mode(instruction, rank, "im2col") == tma::Mode::im2col;
  take_cache_policy(decoder, instruction);
  instruction.expect_operands(has_offsets ? 2 : 1);
  decode_tensor_operand(decoder, instruction.operand(0), rank, form);
  if (has_offsets) decode_offsets(decoder, instruction.operand(1), rank, form);
  op.execute = prefetch;
}

constexpr Definition table[] = {
    {"cp.async.bulk.tensor", decode_copy},
    {"cp.reduce.async.bulk.tensor", decode_reduction},
    {"cp.async.bulk.prefetch.tensor", decode_prefetch},
};

}  // namespace

std::span<const Definition> tensor_copy_definitions() {
  return table;
}

}  // namespace tmaemu
