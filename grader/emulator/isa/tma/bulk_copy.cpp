// PTX ISA, "Data Movement: Non-tensor copy instructions" cp.async.bulk and cp.reduce.async.bulk,
// and the bulk async-groups.
#include <algorithm>
#include <bit>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/isa/tma/bulk.h"
#include "emulator/memory/address_space.h"

namespace tmaemu {

namespace {

constexpr unsigned bulk_alignment = 16;  // addresses and sizes: CUDA C++ Programming Guide, the
                                         // alignment table of one-dimensional bulk copies

const BulkForm& form_of(const Operation& op) {
  return *static_cast<const BulkForm*>(op.detail);
}

void require_whole_units(Warp& warp, const Operation& op, unsigned lane, u32 bytes) {
  if (bytes % bulk_alignment == 0) return;
  warp.fault(op, lane, Sentence::size_misaligned,
             {"the size of a bulk copy", bytes, bulk_alignment});
}

// Exchanged operands: the one that should be a global address leads into shared memory.
void require_no_exchange(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                         u32 bytes) {
  if (bytes == 0 || !in_window(address_of(warp, form.global, lane), shared_window)) return;
  const bool is_reduction = form.kind == BulkOperation::Kind::reduce_to_global;
  warp.fault(op, lane, Sentence::bulk_copy_exchanged,
             {is_reduction ? "a bulk reduction" : "a bulk copy"});
}

std::uint64_t aligned_global(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form) {
  const std::uint64_t address = address_of(warp, form.global, lane);
  if (const std::uint64_t beyond = address % bulk_alignment; beyond != 0) {
    warp.fault(op, lane, Sentence::bulk_copy_between_units,
               {common::hexadecimal(address), beyond, bulk_alignment - beyond});
  }
  return address;
}

// The global side of a plain copy.
void check_global(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                  BulkOperation& operation) {
  const u32 bytes = operation.bytes;
  const std::uint64_t address = aligned_global(warp, op, lane, form);
  operation.global = address;
  operation.host = warp.global(address, bytes);
  if (bytes == 0 || operation.host != nullptr) return;
  const GlobalMemory& memory = *warp.cta().cluster.launch.memory;
  const Values values{bytes, memory.describe(address)};
  operation.host = memory.reach(address, bytes);
  if (operation.host == nullptr) warp.fault(op, lane, Sentence::bulk_copy_outside, values);
  notice(warp, finding_at(warp, op, lane, Sentence::bulk_copy_unreported, values));
}

std::uint32_t checked_shared(Warp& warp, const Operation& op, unsigned lane,
                             const MemoryAccess& access, u32 bytes) {
  const std::uint32_t address =
      shared_address(warp, op, lane, access, bytes, {"the shared side of a bulk copy"});
  require_multiple(warp, op, lane, address, bulk_alignment, "the shared address of a bulk copy");
  return address;
}

// Measured on an H100 and an H200: also where the target is the thread's own CTA's.
void require_cluster(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form) {
  if (warp.cta().cluster.launch.request->explicit_cluster) return;
  const bool is_copy = form.kind == BulkOperation::Kind::shared_to_shared;
  warp.fault(op, lane, Sentence::copy_to_cluster_without_one,
             {is_copy ? "cp.async.bulk" : "cp.reduce.async.bulk"});
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
    require_whole_units(warp, op, lane, operation.bytes);
    if (form.has_global_side()) require_no_exchange(warp, op, lane, form, operation.bytes);
    operation.shared = checked_shared(warp, op, lane, form.shared, operation.bytes);
    switch (form.kind) {
      case BulkOperation::Kind::global_to_shared:
      case BulkOperation::Kind::shared_to_global:
      case BulkOperation::Kind::reduce_to_global:
        check_global(warp, op, lane, form, operation);
        break;
      case BulkOperation::Kind::shared_to_shared:
      case BulkOperation::Kind::reduce_to_shared:
        require_cluster(warp, op, lane, form);
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

// [destination], [source], size {, [mbarrier]}
void decode_bulk_operands(Decoder& decoder, const Instruction& instruction, BulkForm& form) {
  const bool to_global = form.kind == BulkOperation::Kind::shared_to_global ||
                         form.kind == BulkOperation::Kind::reduce_to_global;
  const bool from_global = form.kind == BulkOperation::Kind::global_to_shared;
  instruction.expect_operands(to_global ? 3 : 4);
  const ptx::Operand& target = instruction.operand(0);
  const ptx::Operand& source = instruction.operand(1);
  form.size = decoder.source(instruction.operand(2), 4);
  form.shared = bulk_address(decoder, from_global ? target : source,
                             from_global ? AddressSpace::shared_cluster : AddressSpace::shared);
  decoder.effects().copies = true;
  decoder.effects().address = to_global ? 1 : 0;
  decoder.effects().loads_tile = from_global;
  if (to_global || from_global) {
    form.global = bulk_address(decoder, to_global ? target : source, AddressSpace::global);
  } else {
    form.target = bulk_address(decoder, target, AddressSpace::shared_cluster);
  }
  if (!to_global) {
    form.mbarrier = bulk_address(decoder, instruction.operand(3), AddressSpace::shared_cluster);
  }
}

void keep(Decoder& decoder, Operation& op, const BulkForm& form) {
  decoder.program().uses_async_proxy = true;
  op.detail = decoder.program().keep(form);
  op.execute = issue;
}

// cp.async.bulk.target.source.completion{.multicast::cluster}{.L2::cache_hint}
//     [target], [source], size {, [mbarrier]} {, multicast mask} {, policy}
void decode_bulk_copy(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  BulkForm form;
  const BulkDirection& direction = take_direction(instruction);
  form.kind = direction.copy;
  if (form.kind != BulkOperation::Kind::shared_to_shared) take_cache_policy(decoder, instruction);
  const bool may_multicast =
      form.kind == BulkOperation::Kind::global_to_shared && direction.target == "shared::cluster";
  if (may_multicast) take_multicast(decoder, instruction, form);
  decode_bulk_operands(decoder, instruction, form);
  keep(decoder, op, form);
}

constexpr Choice<tma::ReduceType> reduce_types[] = {
    {"u32", tma::ReduceType::u32}, {"s32", tma::ReduceType::s32}, {"u64", tma::ReduceType::u64},
    {"s64", tma::ReduceType::s64}, {"f16", tma::ReduceType::f16}, {"bf16", tma::ReduceType::bf16},
    {"f32", tma::ReduceType::f32}, {"f64", tma::ReduceType::f64}, {"b32", tma::ReduceType::b32},
    {"b64", tma::ReduceType::b64},
};

// cp.reduce.async.bulk.target.source.completion{.L2::cache_hint}.op{.noftz}.type
//     [target], [source], size {, [mbarrier]} {, policy}
void decode_bulk_reduction(Decoder& decoder, Instruction& instruction, Operation& op,
                           const Definition&) {
  BulkForm form;
  form.kind = take_direction(instruction).reduction;
  if (form.kind == BulkOperation::Kind::global_to_shared) refuse("reduces from global memory");
  const bool to_global = form.kind == BulkOperation::Kind::reduce_to_global;
  if (to_global) take_cache_policy(decoder, instruction);
  form.operation = take_reduction(instruction);
  form.type = instruction.require_one_of(reduce_types, "type that bulk reductions have");
  const auto memory = to_global ? tma::ReduceTarget::global : tma::ReduceTarget::shared_cluster;
  if (!tma::is_supported(form.operation, form.type, memory)) {
    refuse("is a reduction that the hardware does not have");
  }
  const bool adds = form.operation == tma::ReduceOperation::add;
  const bool is_half = form.type == tma::ReduceType::f16 || form.type == tma::ReduceType::bf16;
  if (adds && is_half) instruction.require("noftz");  // as the engine adds
  // Rounding depends on the order of the additions.
  const bool is_word = form.type == tma::ReduceType::u32 || form.type == tma::ReduceType::s32;
  if (adds && !is_word) decoder.program().is_ordered = true;
  decode_bulk_operands(decoder, instruction, form);
  keep(decoder, op, form);
}

const Operation* commit_group(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    Cluster& cluster = warp.cta().cluster;
    cluster.engine.commit_group(warp.thread(lane));
    if (cluster.observer() != nullptr) {
      cluster.observer()->commits_bulk({warp.thread(lane), op.site});
    }
  }
  return &op + 1;
}

const Operation* wait_group(Warp& warp, const Operation& op, LaneMask lanes) {
  const bool read_only = op.b != 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    Cluster& cluster = warp.cta().cluster;
    const auto pending = static_cast<u32>(op.immediate);
    cluster.engine.wait_group(warp.thread(lane), pending, read_only);
    if (cluster.observer() != nullptr) {
      cluster.observer()->awaits_bulk({warp.thread(lane), op.site, pending, read_only});
    }
  }
  return &op + 1;
}

void decode_commit(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  op.execute = commit_group;
}

// cp.async.bulk.wait_group{.read} N
void decode_wait(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  op.b = instruction.take("read") ? 1 : 0;
  instruction.expect_operands(1);
  op.immediate = static_cast<s64>(constant_operand(instruction, 0, "number of groups"));
  op.execute = wait_group;
}

// Prefetches bring bytes into the L2 cache, which no program can see. An H200 takes any size, and
// no address that a copy would not take.
const Operation* prefetch(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    aligned_global(warp, op, static_cast<unsigned>(std::countr_zero(lanes)), form_of(op));
  }
  return &op + 1;
}

// cp.async.bulk.prefetch.L2.global{.L2::cache_hint} [source], size {, policy}
void decode_prefetch(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.require("L2");
  instruction.require("global");
  take_cache_policy(decoder, instruction);
  instruction.expect_operands(2);
  BulkForm form;
  form.global = bulk_address(decoder, instruction.operand(0), AddressSpace::global);
  decoder.source(instruction.operand(1), 4);
  op.detail = decoder.program().keep(form);
  op.execute = prefetch;
}

constexpr Definition table[] = {
    {"cp.async.bulk", decode_bulk_copy},           {"cp.reduce.async.bulk", decode_bulk_reduction},
    {"cp.async.bulk.commit_group", decode_commit}, {"cp.async.bulk.wait_group", decode_wait},
    {"cp.async.bulk.prefetch", decode_prefetch},
};

}  // namespace

std::span<const Definition> bulk_copy_definitions() {
  return table;
}

}  // namespace tmaemu
