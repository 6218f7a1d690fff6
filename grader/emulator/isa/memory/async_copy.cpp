// PTX ISA, "Data Movement: Non-bulk copy": cp.async, its groups, and its arrivals on mbarriers.
#include <bit>
#include <string>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"

namespace tmaemu {
namespace {

struct CopyForm {
  MemoryAccess shared;
  MemoryAccess global;
  unsigned bytes = 0;
  CopiedBytes copied;
};

u32 source_bytes(Warp& warp, const Operation& op, unsigned lane, const CopyForm& form) {
  const u32 bytes = copied_bytes(warp, form.copied, form.bytes, lane);
  if (bytes > form.bytes) {
    warp.fault(op, lane, Sentence::async_copy_source_size, {form.bytes, bytes});
  }
  return bytes;
}

const Operation* copy(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const CopyForm*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place target =
        resolve(warp, op, lane, AddressSpace::shared, address_of(warp, form.shared, lane),
                form.bytes, AccessKind::store);
    AsyncCopy copy{target.shared_of, target.shared_offset, nullptr, form.bytes, 0, op.site};
    copy.source_bytes = source_bytes(warp, op, lane, form);
    const u64 source = address_of(warp, form.global, lane);
    copy.global = source;
    copy.frees = warp.cta().cluster.launch.memory->frees();
    if (copy.source_bytes == form.bytes) {
      copy.source =
          resolve(warp, op, lane, AddressSpace::global, source, form.bytes, AccessKind::load).bytes;
    } else if (copy.source_bytes != 0) {
      // Only what is copied need be there.
      copy.source = warp.global(source, copy.source_bytes);
      if (copy.source == nullptr || source % form.bytes != 0) {
        copy.source =
            resolve(warp, op, lane, AddressSpace::global, source, form.bytes, AccessKind::load)
                .bytes;
      }
    }
    warp.cta().cluster.copies.issue(warp.thread(lane), copy);
  }
  return &op + 1;
}

// How much is copied, or a predicate for nothing at all.
void decode_source_size(Decoder& decoder, const ptx::Operand& operand, CopyForm& form) {
  if (decoder.is_register(operand) && decoder.register_bytes(operand) == 0) {
    form.copied = {CopiedBytes::By::predicate, decoder.predicate(operand), operand.negated};
  } else {
    form.copied = {CopiedBytes::By::count, decoder.source(operand, 4)};
  }
}

// cp.async.{ca,cg}.shared{::cta}.global{.L2::cache_hint}{.L2::prefetch size}
//     [dst], [src], size {, source size | ignore} {, policy}
void decode_copy(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool is_cached_in_l1 = instruction.require_one_of({"ca", "cg"}, "cache operation") == "ca";
  instruction.require_one_of({"shared", "shared::cta"}, "destination that is modeled");
  instruction.require("global");
  // How much the L2 cache brings in, no program can see.
  instruction.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
  take_cache_policy(decoder, instruction);
  instruction.expect_operands(3, 4);
  decoder.effects().copies = true;
  CopyForm form;
  form.shared.address = decoder.memory(instruction.operand(0));
  form.global.address = decoder.memory(instruction.operand(1));
  const ptx::Operand& size = instruction.operand(2);
  form.bytes = static_cast<unsigned>(size.bits);
  const bool is_size =
      form.bytes == 16 || (is_cached_in_l1 && (form.bytes == 4 || form.bytes == 8));
  if (size.kind != ptx::Operand::Kind::integer || !is_size) {
    refuse("copies a number of bytes that it cannot");
  }
  if (instruction.operand_count() == 4) decode_source_size(decoder, instruction.operand(3), form);
  op.detail = decoder.program().keep(form);
  op.execute = copy;
  form.global.space = AddressSpace::global;
  form.shared.space = AddressSpace::shared;
  Access access{Access::Kind::copy, form.global, form.shared, form.bytes};
  access.copied = form.copied;
  decoder.note_access(access);
}

// `tell` says to an observer what `action` does.
template <auto action, auto tell>
const Operation* for_threads(Warp& warp, const Operation& op, LaneMask lanes) {
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto pending = static_cast<u32>(op.immediate);
    action(cluster.copies, warp.thread(lane), pending);
    if (cluster.observer() != nullptr) {
      (cluster.observer()->*tell)({warp.thread(lane), op.site, pending});
    }
  }
  return &op + 1;
}

void decode_commit(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  op.execute =
      for_threads<[](AsyncCopies& copies, ThreadId thread, u32) { copies.commit_group(thread); },
                  &Observer::commits_copies>;
}
void decode_wait_group(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(1);
  op.immediate = static_cast<s64>(constant_operand(instruction, 0, "number of groups"));
  op.execute = for_threads<[](AsyncCopies& copies, ThreadId thread, u32 pending) {
    copies.wait_group(thread, pending);
  },
                           &Observer::awaits_copies>;
}
const Operation* wait_all(Warp& warp, const Operation& op, LaneMask lanes) {
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const ThreadId thread = warp.thread(static_cast<unsigned>(std::countr_zero(lanes)));
    cluster.copies.wait_all(thread);
    if (cluster.observer() != nullptr) {
      cluster.observer()->awaits_copies({thread, op.site, 0, false, true});
    }
  }
  return &op + 1;
}
void decode_wait_all(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  op.execute = wait_all;
}

// cp.async.mbarrier.arrive{.noinc}: without .noinc, the arrival to come is added to those that the
// phase waits for.
const Operation* arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& access = *static_cast<const MemoryAccess*>(op.detail);
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const u32 address = shared_address(warp, op, lane, access, sizeof(u64),
                                       {"an mbarrier", Sentence::mbarrier_of_another_cta});
    Mbarrier barrier = cluster.mbarriers().load(address);
    if (address % alignof(u64) != 0) {
      warp.fault(op, lane, Sentence::mbarrier_misaligned, {common::hexadecimal(address)});
    }
    if (op.immediate != 0 && barrier.initialized) {
      if (barrier.pending == Mbarrier::max_count) {
        report(warp, finding_at(warp, op, lane, Sentence::async_arrivals_beyond_count));
      } else {
        ++barrier.pending;
        cluster.mbarriers().store(address, barrier);
      }
    }
    if (cluster.observer() != nullptr) {
      cluster.observer()->orders_arrival({warp.thread(lane), op.site, address, op.immediate == 0});
    }
    cluster.copies.arrive(warp.thread(lane), address, op.site);
  }
  return &op + 1;
}
// cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64 [address]
void decode_arrive(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool increments = !instruction.take("noinc");
  const AddressSpace space = space_of(instruction.take_one_of({"shared", "shared::cta"}));
  instruction.require("b64");
  instruction.expect_operands(1);
  MemoryAccess access;
  access.address = decoder.memory(instruction.operand(0));
  access.space = space;
  op.immediate = increments ? 1 : 0;
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

constexpr Definition table[] = {
    {"cp.async", decode_copy},
    {"cp.async.commit_group", decode_commit},
    {"cp.async.wait_group", decode_wait_group},
    {"cp.async.wait_all", decode_wait_all},
    {"cp.async.mbarrier.arrive", decode_arrive},
};

}  // namespace

std::span<const Definition> async_copy_definitions() {
  return table;
}

}  // namespace tmaemu
