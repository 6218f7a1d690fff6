// PTX ISA, "Data Movement: Non-tensor copy instructions" cp.async.bulk and cp.reduce.async.bulk,
// and the bulk async-groups.
#include <algorithm>
#include <bit>

#include "emulator/isa/bulk.h"
#include "emulator/isa/report.h"

namespace tmaemu {

MemoryAccess bulk_address(Decoder& decoder, const ptx::Operand& operand) {
  MemoryAccess access;
  access.address = decoder.memory(operand);
  return access;
}

tma::ReduceOperation reduce_operation(const ptx::Instruction& instruction) {
  using tma::ReduceOperation;
  constexpr std::pair<std::string_view, ReduceOperation> names[] = {
      {"add", ReduceOperation::add},   {"min", ReduceOperation::min},
      {"max", ReduceOperation::max},   {"inc", ReduceOperation::inc},
      {"dec", ReduceOperation::dec},   {"and", ReduceOperation::bit_and},
      {"or", ReduceOperation::bit_or}, {"xor", ReduceOperation::bit_xor}};
  for (const auto& [name, operation] : names) {
    if (has_modifier(instruction, name)) return operation;
  }
  Decoder::refuse("names no reduction");
}

void refuse_misaligned(Warp& warp, const Operation& op, unsigned lane, std::uint64_t value,
                       unsigned alignment, std::string_view what) {
  warp.fault(op, lane, Sentence::operand_misaligned, {what, value, alignment});
}

std::uint32_t completion_mbarrier(Warp& warp, const Operation& op, unsigned lane,
                                  const BulkForm& form) {
  const std::uint32_t address =
      shared_address(warp, op, lane, address_of(warp, form.mbarrier, lane), sizeof(std::uint64_t),
                     "the mbarrier of a bulk copy");
  require_multiple(warp, op, lane, address, alignof(std::uint64_t),
                   "the shared address of the mbarrier");
  return address;
}

std::uint16_t multicast_mask(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                             std::uint32_t shared, unsigned bytes) {
  if (!form.is_multicast) return 0;
  const u16 mask = warp.lanes<u16>(form.multicast)[lane];
  const Cluster& cluster = warp.cta().cluster;
  for (u32 rest = mask; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<u32>(std::countr_zero(rest));
    if (cluster.has(rank << cta_rank_shift | shared_offset(shared), bytes)) continue;
    warp.fault(op, lane, Sentence::multicast_beyond_cluster, {rank, cluster.ctas.size()});
  }
  if (mask == 0) {
    warp.fault(op, lane, Sentence::multicast_mask_empty);
  }
  return mask;
}

namespace {

constexpr unsigned bulk_alignment = 16;  // addresses and sizes: CUDA C++ Programming Guide, the
                                         // alignment table of one-dimensional bulk copies

const BulkForm& form_of(const Operation& op) {
  return *static_cast<const BulkForm*>(op.detail);
}

// The global side of a plain copy.
void check_global(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                  BulkOperation& operation) {
  const u32 bytes = operation.bytes;
  const std::uint64_t address = address_of(warp, form.global, lane);
  require_multiple(warp, op, lane, address, bulk_alignment, "the global address of a bulk copy");
  operation.global = address;
  operation.host = warp.global(address, bytes);
  if (bytes != 0 && operation.host == nullptr) {
    const std::uint64_t last = address + bytes - 1;
    const GlobalMemory& memory = *warp.cta().cluster.launch.memory;
    const std::uint64_t outside = warp.global(address, 1) == nullptr ? address : last;
    warp.fault(op, lane, Sentence::bulk_copy_outside,
               {bytes, outside == address ? "first" : "last", memory.describe(outside)});
  }
}

std::uint32_t checked_shared(Warp& warp, const Operation& op, unsigned lane,
                             const MemoryAccess& access, u32 bytes) {
  const std::uint32_t address = shared_address(warp, op, lane, address_of(warp, access, lane),
                                               bytes, "the shared side of a bulk copy");
  require_multiple(warp, op, lane, address, bulk_alignment, "the shared address of a bulk copy");
  return address;
}

const Operation* issue(Warp& warp, const Operation& op, LaneMask lanes) {
  const BulkForm& form = form_of(op);
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    BulkOperation operation;
    operation.kind = form.kind;
    operation.bytes = warp.lanes<u32>(form.size)[lane];
    operation.operation = form.operation;
    operation.type = form.type;
    operation.thread = warp.thread(lane);
    operation.site = op.site;
    require_multiple(warp, op, lane, operation.bytes, bulk_alignment, "the size of a bulk copy");
    operation.shared = checked_shared(warp, op, lane, form.shared, operation.bytes);
    switch (form.kind) {
      case BulkOperation::Kind::global_to_shared:
      case BulkOperation::Kind::shared_to_global:
      case BulkOperation::Kind::reduce_to_global:
        check_global(warp, op, lane, form, operation);
        break;
      case BulkOperation::Kind::shared_to_shared:
      case BulkOperation::Kind::reduce_to_shared:
        operation.target = checked_shared(warp, op, lane, form.target, operation.bytes);
        break;
    }
    if (operation.signals_mbarrier()) {
      operation.mbarrier = completion_mbarrier(warp, op, lane, form);
      operation.multicast = multicast_mask(warp, op, lane, form, operation.shared, operation.bytes);
    }
    cluster.engine.issue(std::move(operation));
  }
  return &op + 1;
}

tma::ReduceType reduce_type(const ptx::Instruction& instruction) {
  using tma::ReduceType;
  switch (type_of(instruction)) {
    case ptx::Type::u32:
      return ReduceType::u32;
    case ptx::Type::s32:
      return ReduceType::s32;
    case ptx::Type::u64:
      return ReduceType::u64;
    case ptx::Type::s64:
      return ReduceType::s64;
    case ptx::Type::f16:
      return ReduceType::f16;
    case ptx::Type::bf16:
      return ReduceType::bf16;
    case ptx::Type::f32:
      return ReduceType::f32;
    case ptx::Type::f64:
      return ReduceType::f64;
    case ptx::Type::b32:
      return ReduceType::b32;
    case ptx::Type::b64:
      return ReduceType::b64;
    default:
      Decoder::refuse("reduces a type that bulk reductions do not have");
  }
}

// The destination and the source are named by the modifiers, in this order.
BulkOperation::Kind kind_of(const ptx::Instruction& instruction, bool reduces) {
  std::vector<std::string_view> spaces;
  for (const std::string_view part : instruction.parts) {
    if (part == "global" || part.starts_with("shared")) spaces.push_back(part);
  }
  if (spaces.size() != 2) Decoder::refuse("names no destination and source");
  if (spaces[1] == "global") {
    if (reduces) Decoder::refuse("reduces from global memory");
    return BulkOperation::Kind::global_to_shared;
  }
  if (spaces[0] == "global") {
    return reduces ? BulkOperation::Kind::reduce_to_global : BulkOperation::Kind::shared_to_global;
  }
  return reduces ? BulkOperation::Kind::reduce_to_shared : BulkOperation::Kind::shared_to_shared;
}

// [destination], [source], size {, [mbarrier]} {, multicast mask} {, cache policy}
void decode_bulk(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  const auto& operands = instruction.operands;
  const bool reduces = instruction.parts[1] == "reduce";
  if (has_modifier(instruction, "cp_mask")) Decoder::refuse("with a byte mask is not modeled");
  if (operands.size() < 3) Decoder::refuse("needs a destination, a source and a size");
  BulkForm form;
  form.kind = kind_of(instruction, reduces);
  form.size = decoder.source(operands[2], 4);
  const bool to_global = form.kind == BulkOperation::Kind::shared_to_global ||
                         form.kind == BulkOperation::Kind::reduce_to_global;
  const bool from_global = form.kind == BulkOperation::Kind::global_to_shared;
  form.shared = bulk_address(decoder, operands[from_global ? 0 : 1]);
  if (to_global || from_global) {
    form.global = bulk_address(decoder, operands[to_global ? 0 : 1]);
  } else {
    form.target = bulk_address(decoder, operands[0]);
  }
  if (!to_global) {
    if (operands.size() < 4) Decoder::refuse("needs an mbarrier");
    form.mbarrier = bulk_address(decoder, operands[3]);
    form.is_multicast = has_modifier(instruction, "multicast::cluster");
    if (form.is_multicast) {
      if (operands.size() < 5) Decoder::refuse("needs a multicast mask");
      form.multicast = decoder.source(operands[4], 2);
    }
  }
  if (reduces) {
    form.operation = reduce_operation(instruction);
    form.type = reduce_type(instruction);
    const bool is_global = form.kind == BulkOperation::Kind::reduce_to_global;
    if (!tma::is_supported(
            form.operation, form.type,
            is_global ? tma::ReduceTarget::global : tma::ReduceTarget::shared_cluster)) {
      Decoder::refuse("is a reduction that the hardware does not have");
    }
    if (form.operation == tma::ReduceOperation::add && form.type != tma::ReduceType::u32 &&
        form.type != tma::ReduceType::s32) {
      decoder.program().is_ordered = true;  // rounding depends on the order of the additions
    }
  }
  decoder.program().uses_async_proxy = true;
  op.detail = decoder.program().keep(form);
  op.execute = issue;
}

const Operation* commit_group(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.engine.commit_group(warp.thread(lane));
  }
  return &op + 1;
}

const Operation* wait_group(Warp& warp, const Operation& op, LaneMask lanes) {
  const bool read_only = op.b != 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.engine.wait_group(warp.thread(lane), static_cast<u32>(op.immediate),
                                         read_only);
  }
  return &op + 1;
}

void decode_commit(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = commit_group;
}

void decode_wait(Decoder&, const ptx::Instruction& instruction, Operation& op, const Definition&) {
  if (instruction.operands.size() != 1 ||
      instruction.operands[0].kind != ptx::Operand::Kind::integer) {
    Decoder::refuse("needs a constant number of groups");
  }
  op.immediate = static_cast<s64>(instruction.operands[0].bits);
  op.b = has_modifier(instruction, "read") ? 1 : 0;
  op.execute = wait_group;
}

// Prefetches bring bytes into the L2 cache, which no program can see.
const Operation* prefetch(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}
void decode_prefetch(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = prefetch;
}

constexpr Definition table[] = {
    {"cp.async.bulk cp.reduce.async.bulk", decode_bulk},
    {"cp.async.bulk.commit_group", decode_commit},
    {"cp.async.bulk.wait_group", decode_wait},
    {"cp.async.bulk.prefetch", decode_prefetch},
};

}  // namespace

std::span<const Definition> bulk_copy_definitions() {
  return table;
}

}  // namespace tmaemu
