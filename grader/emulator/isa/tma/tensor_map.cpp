// PTX ISA, "Tensor Map": tensormap.replace and tensormap.cp_fenceproxy.
#include "emulator/tma/tensor_map.h"

#include <bit>
#include <cstring>
#include <string>

#include "contract/findings/sentences.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/isa/warp_access.h"

namespace tmaemu {
namespace {

using Kind = events::Access::Kind;

// Changes one field of a map; `ordinal` is the dimension. Words on failure.
using Replace = std::string (*)(tma::TensorMap& map, unsigned ordinal, u64 value);

struct ReplaceForm {
  MemoryAccess address;
  Replace replace = nullptr;
  unsigned ordinal = 0;
  unsigned value_bytes = 4;
};

std::string set_address(tma::TensorMap& map, unsigned, u64 value) {
  map.global_address = value;
  return {};
}
// PTX counts ranks from zero here.
std::string set_rank(tma::TensorMap& map, unsigned, u64 value) {
  if (value >= tma::max_rank) return "a rank of " + std::to_string(value) + " + 1";
  map.rank = static_cast<int>(value) + 1;
  return {};
}
std::string set_box(tma::TensorMap& map, unsigned ordinal, u64 value) {
  if (value > UINT16_MAX) return "a box of " + std::to_string(value) + " elements";
  map.box_size[ordinal] = static_cast<u32>(value);
  return {};
}
std::string set_size(tma::TensorMap& map, unsigned ordinal, u64 value) {
  map.global_size[ordinal] = value;
  return {};
}
std::string set_stride(tma::TensorMap& map, unsigned ordinal, u64 value) {
  if (ordinal + 1 >= tma::max_rank) return "a stride of dimension " + std::to_string(ordinal + 1);
  map.global_stride[ordinal] = value;
  return {};
}
std::string set_element_stride(tma::TensorMap& map, unsigned ordinal, u64 value) {
  if (value > UINT8_MAX) return "an element stride of " + std::to_string(value);
  map.element_stride[ordinal] = static_cast<u32>(value);
  return {};
}
// PTX numbers the types in another order than cuda.h.
std::string set_type(tma::TensorMap& map, unsigned, u64 value) {
  using tma::DataType;
  constexpr DataType types[] = {DataType::u8,      DataType::u16, DataType::u32,  DataType::s32,
                                DataType::u64,     DataType::s64, DataType::f16,  DataType::f32,
                                DataType::f32_ftz, DataType::f64, DataType::bf16, DataType::tf32,
                                DataType::tf32_ftz};
  if (value >= std::size(types)) return "the element type " + std::to_string(value);
  map.type = types[value];
  return {};
}
std::string set_interleave(tma::TensorMap& map, unsigned, u64 value) {
  if (value > 2) return "the interleave layout " + std::to_string(value);
  map.interleave = static_cast<tma::Interleave>(value);
  return {};
}
std::string set_swizzle(tma::TensorMap& map, unsigned, u64 value) {
  if (value > 3) return "the swizzle mode " + std::to_string(value);
  map.swizzle = static_cast<Swizzle>(value);
  return {};
}
std::string set_fill(tma::TensorMap& map, unsigned, u64 value) {
  if (value > 1) return "the fill mode " + std::to_string(value);
  map.fill = static_cast<tma::OutOfBoundsFill>(value);
  return {};
}

struct Field {
  Replace replace;
  unsigned value_bytes;
  bool has_ordinal;
};
constexpr Choice<Field> fields[] = {
    {"global_address", {set_address, 8, false}},
    {"rank", {set_rank, 4, false}},
    {"box_dim", {set_box, 4, true}},
    {"global_dim", {set_size, 4, true}},
    {"global_stride", {set_stride, 8, true}},
    {"element_stride", {set_element_stride, 4, true}},
    {"elemtype", {set_type, 4, false}},
    {"interleave_layout", {set_interleave, 4, false}},
    {"swizzle_mode", {set_swizzle, 4, false}},
    {"fill_mode", {set_fill, 4, false}},
};

// PTX ISA, "tensormap.replace": a weak operation on the whole map of 128 bytes.
const Operation* replace(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const ReplaceForm*>(op.detail);
  const WarpAccess maps(warp, op, form.address, lanes, {Kind::map_change, tma::opaque_bytes});
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = maps.place(lane);
    const std::span<std::byte, tma::opaque_bytes> opaque(place.bytes, tma::opaque_bytes);
    auto map = tma::decode(opaque);
    if (!map) {
      Finding finding = finding_at(warp, op, lane, Sentence::replace_in_no_tensor_map);
      finding.rule = map.error().message;
      throw KernelFault{finding};
    }
    const u64 value =
        form.value_bytes == 8 ? warp.lanes<u64>(op.b)[lane] : u64{warp.lanes<u32>(op.b)[lane]};
    const std::string complaint = form.replace(*map, form.ordinal, value);
    if (!complaint.empty()) {
      warp.fault(op, lane, Sentence::replace_value, {complaint});
    }
    const auto bytes = tma::encode(*map);
    std::memcpy(place.bytes, bytes.data(), bytes.size());
    if (place.shared_of == nullptr) {
      warp.cta().cluster.launch.map_changes->change(maps.address(lane), op.site);
      continue;
    }
    place.shared_of->shared.note_write(place.shared_offset, tma::opaque_bytes, warp.thread(lane),
                                       warp.cta().cluster.causality().now());
  }
  return &op + 1;
}

// tensormap.replace.tile.field{.space}.b1024.type [address], {ordinal,} value
void decode_replace(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.require("tile");
  const Field field = instruction.require_one_of(fields, "field that is modeled");
  instruction.require("b1024");
  instruction.require(field.value_bytes == 8 ? "b64" : "b32");
  ReplaceForm form;
  form.address.space = space_of(instruction.take_one_of({"global", "shared::cta"}));
  instruction.expect_operands(field.has_ordinal ? 3 : 2);
  form.address.address = decoder.memory(instruction.operand(0));
  form.replace = field.replace;
  form.value_bytes = field.value_bytes;
  if (field.has_ordinal) {
    const ptx::Operand& ordinal = instruction.operand(1);
    if (ordinal.kind != ptx::Operand::Kind::integer || ordinal.bits >= tma::max_rank) {
      refuse("names no dimension");
    }
    form.ordinal = static_cast<unsigned>(ordinal.bits);
  }
  decoder.program().is_ordered = true;  // other CTAs may use the map
  op.b = decoder.source(instruction.operand(field.has_ordinal ? 2 : 1), form.value_bytes);
  op.detail = decoder.program().keep(form);
  op.execute = replace;
}

struct CopyForm {
  MemoryAccess target;  // global
  MemoryAccess source;  // shared
  Scope scope = Scope::gpu;
};

// The whole warp copies one map.
const Operation* copy_and_fence(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const CopyForm*>(op.detail);
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  constexpr unsigned lane = 0;
  constexpr LaneMask one = LaneMask{1} << lane;
  const WarpAccess from(warp, op, form.source, one, {Kind::map_read, tma::opaque_bytes});
  const WarpAccess to(warp, op, form.target, one, {Kind::map_copy, tma::opaque_bytes});
  const Place source = from.place(lane);
  const Place target = to.place(lane);
  std::memcpy(target.bytes, source.bytes, tma::opaque_bytes);
  warp.cta().cluster.launch.map_changes->change(to.address(lane), op.site);
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->fences({warp.id(),
                      op.site,
                      lanes,
                      events::Fence::Kind::map_release,
                      {Semantics::release, form.scope}});
  }
  return next;
}

// tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned
//     [target], [source], 128
void decode_copy(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  for (const std::string_view name :
       {"global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"}) {
    instruction.require(name);
  }
  const Scope scope = take_scope(instruction);
  instruction.expect_operands(3);
  const ptx::Operand& size = instruction.operand(2);
  if (size.kind != ptx::Operand::Kind::integer || size.bits != tma::opaque_bytes) {
    refuse("copies another number of bytes than 128");
  }
  CopyForm form;
  form.scope = scope;
  form.target.address = decoder.memory(instruction.operand(0));
  form.source.address = decoder.memory(instruction.operand(1));
  form.source.space = AddressSpace::shared;
  form.target.space = AddressSpace::global;
  decoder.program().is_ordered = true;  // other CTAs may use the map
  op.detail = decoder.program().keep(form);
  op.execute = copy_and_fence;
}

constexpr Definition table[] = {
    {"tensormap.replace", decode_replace},
    {"tensormap.cp_fenceproxy", decode_copy},
};

}  // namespace

std::span<const Definition> tensor_map_definitions() {
  return table;
}

}  // namespace tmaemu
