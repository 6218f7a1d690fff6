// PTX ISA, "Data Movement: Tensor copy instructions": cp.async.bulk.tensor and
// cp.reduce.async.bulk.tensor.
#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/isa/bulk.h"
#include "emulator/isa/report.h"
#include "emulator/tma/operation_rules.h"

namespace tmaemu {
namespace {

constexpr unsigned tile_alignment = 128;  // of a tile in shared memory
constexpr unsigned map_alignment = 64;    // of a tensor map
constexpr unsigned map_bytes = 128;

const BulkForm& form_of(const Operation& op) {
  return *static_cast<const BulkForm*>(op.detail);
}

void check_acquired(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address) {
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
  resolve(warp, op, lane, AddressSpace::generic, address + map_bytes - map_alignment, map_alignment,
          AccessKind::load);
  if (in_window(address, local_window)) {
    report(warp, finding_at(warp, op, lane, Sentence::tensor_map_in_local_memory));
  } else if (in_window(address, shared_window)) {
    report(warp, finding_at(warp, op, lane, Sentence::tensor_map_in_shared_memory));
  }
  check_acquired(warp, op, lane, address);
  TensorMapCache& cache = warp.cta().cluster.tensor_maps;
  const auto cached = cache.find(first.bytes);
  if (cached != nullptr) return *cached;
  const auto map = tma::decode(std::span<const std::byte, map_bytes>(first.bytes, map_bytes));
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
                                   const std::string& rule) {
  Finding finding = finding_at(warp, op, lane, Sentence::tensor_operation_refused);
  finding.rule = rule;
  throw KernelFault{finding};
}

// Every byte of the tensor that the box covers must be in device memory.
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
  tma::for_each_run(map, operation.place(), shared_offset(operation.shared),
                    [&](const tma::Run& run) {
                      if (!run.in_bounds || warp.global(run.global_address, run.bytes) != nullptr) {
                        return;
                      }
                      warp.fault(op, lane, Sentence::box_outside,
                                 {warp.cta().cluster.launch.memory->describe(run.global_address)});
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
    const auto executable = tma::check_operation(
        map, form.mode, operation.place().first(form.coordinates.size()),
        operation.place().subspan(form.coordinates.size()),
        writes_global ? tma::Direction::to_global : tma::Direction::from_global);
    if (!executable.ok()) refuse_operation(warp, op, lane, executable.error().message);
    operation.shared = shared_address(warp, op, lane, address_of(warp, form.shared, lane),
                                      operation.bytes, "the tile of a TMA instruction");
    require_multiple(warp, op, lane, operation.shared, tile_alignment,
                     "the shared address of a TMA tile");
    check_global(warp, op, lane, operation);
    if (form.kind == BulkOperation::Kind::reduce_to_global) {
      const auto type = tma::reduce_type_of(form.operation, map.type);
      if (!type) refuse_operation(warp, op, lane, type.error().message);
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

int rank_of(const ptx::Instruction& instruction) {
  for (const std::string_view part : instruction.parts) {
    if (part.size() == 2 && part[1] == 'd' && part[0] >= '1' && part[0] <= '5')
      return part[0] - '0';
  }
  Decoder::refuse("names no rank");
}

// The parts of {a, b, ...}; a braced single operand may have lost its braces.
std::span<const ptx::Operand> elements_of(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::vector
             ? std::span<const ptx::Operand>(operand.elements)
             : std::span<const ptx::Operand>(&operand, 1);
}

// [map, {coordinates}]
void decode_tensor_operand(Decoder& decoder, const ptx::Operand& operand, int rank,
                           BulkForm& form) {
  if (operand.kind != ptx::Operand::Kind::tensor_address || operand.elements.size() != 2) {
    Decoder::refuse("needs [tensor map, {coordinates}]");
  }
  const ptx::Operand& coordinates = operand.elements[1];
  const std::span<const ptx::Operand> list = elements_of(coordinates);
  if (list.size() != static_cast<std::size_t>(rank)) {
    Decoder::refuse("needs one coordinate each dimension");
  }
  ptx::Operand map = operand.elements[0];
  map.base_is_register = map.base_is_register || map.kind == ptx::Operand::Kind::reg;
  map.kind = ptx::Operand::Kind::address;
  form.global = bulk_address(decoder, map);
  for (const ptx::Operand& coordinate : list) {
    form.coordinates.push_back(decoder.source(coordinate, 4));
  }
}

// The mode that the modifiers name; tiled where they name none. Loads have im2col offsets, other
// copies name that they have none.
tma::Mode mode_of(const ptx::Instruction& instruction, bool is_load) {
  for (const std::string_view part : instruction.parts) {
    if (part == (is_load ? "im2col" : "im2col_no_offs")) return tma::Mode::im2col;
    if (part.starts_with("im2col") || part.starts_with("tile::")) {
      Decoder::refuse("in " + std::string(part) + " mode is not modeled");
    }
  }
  return tma::Mode::tiled;
}

// cp.async.bulk.tensor.Nd.shared::x.global... [tile], [map, {c}], [mbarrier] {, {im2col offsets}}
//     {, mask} {, policy}
// cp{.reduce}.async.bulk.tensor.Nd.global.shared::cta... [map, {c}], [tile] {, policy}
void decode_tensor(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                   const Definition&) {
  const auto& operands = instruction.operands;
  const bool reduces = instruction.parts[1] == "reduce";
  if (operands.size() < 2) Decoder::refuse("needs a tile and a tensor map");
  BulkForm form;
  const int rank = rank_of(instruction);
  const bool is_load = operands[0].kind != ptx::Operand::Kind::tensor_address;
  form.mode = mode_of(instruction, is_load);
  if (is_load) {
    if (reduces) Decoder::refuse("reduces to shared memory");
    if (operands.size() < 3) Decoder::refuse("needs an mbarrier");
    form.kind = BulkOperation::Kind::global_to_shared;
    form.shared = bulk_address(decoder, operands[0]);
    decode_tensor_operand(decoder, operands[1], rank, form);
    form.mbarrier = bulk_address(decoder, operands[2]);
    std::size_t next = 3;
    if (form.mode == tma::Mode::im2col) {
      if (operands.size() <= next) Decoder::refuse("needs im2col offsets");
      const auto offsets = elements_of(operands[next++]);
      if (static_cast<int>(offsets.size()) != rank - 2) {
        Decoder::refuse("needs an im2col offset each dimension but two");
      }
      for (const ptx::Operand& offset : offsets) form.offsets.push_back(decoder.source(offset, 2));
    }
    form.is_multicast = has_modifier(instruction, "multicast::cluster");
    if (form.is_multicast) {
      if (operands.size() <= next) Decoder::refuse("needs a multicast mask");
      form.multicast = decoder.source(operands[next], 2);
    }
  } else {
    form.kind =
        reduces ? BulkOperation::Kind::reduce_to_global : BulkOperation::Kind::shared_to_global;
    decode_tensor_operand(decoder, operands[0], rank, form);
    form.shared = bulk_address(decoder, operands[1]);
    // The element type is known only when the tensor map is: a floating sum depends on the order.
    if (reduces) {
      form.operation = reduce_operation(instruction);
      decoder.program().is_ordered = true;
    }
  }
  form.is_paired = has_modifier(instruction, "cta_group::2");
  decoder.program().uses_async_proxy = true;
  op.detail = decoder.program().keep(std::move(form));
  op.execute = issue;
}

constexpr Definition table[] = {
    {"cp.async.bulk.tensor cp.reduce.async.bulk.tensor", decode_tensor},
};

}  // namespace

std::span<const Definition> tensor_copy_definitions() {
  return table;
}

}  // namespace tmaemu
