// PTX ISA, "Data Movement: Non-bulk copy": cp.async, its groups, and its arrivals on mbarriers.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/isa/warp_access.h"

namespace tmaemu {
namespace {

using Kind = events::Access::Kind;
constexpr AccessForm::Done copied_later = AccessForm::Done::with_copies;

// How much a thread's cp.async reads of what it writes: all, so many bytes, or nothing where a
// predicate is true. The rest is zeros.
struct CopiedBytes {
  enum class By : std::uint8_t { all, count, predicate };
  By by = By::all;
  Slot slot = 0;            // of the count, or of the predicate,
  bool is_negated = false;  // or of its negation
};

struct CopyForm {
  MemoryAccess shared;
  MemoryAccess global;
  unsigned bytes = 0;
  CopiedBytes copied;
};

// How many of its bytes each lane reads. More than all, where a register says so, is a mistake.
using SourceBytes = std::array<u32, warp_size>;

SourceBytes source_bytes(Warp& warp, const CopyForm& form) {
  SourceBytes bytes;
  bytes.fill(form.bytes);
  const CopiedBytes& copied = form.copied;
  if (copied.by == CopiedBytes::By::count) {
    std::copy_n(warp.lanes<u32>(copied.slot), warp_size, bytes.begin());
  } else if (copied.by == CopiedBytes::By::predicate) {
    const LaneMask ignoring = warp.predicate(copied.slot) ^ (copied.is_negated ? all_lanes : 0);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((ignoring >> lane & 1) != 0) bytes[lane] = 0;
    }
  }
  return bytes;
}

// The lanes that read equally much read together.
void tell_loads(Warp& warp, const Operation& op, LaneMask lanes, const CopyForm& form,
                const Addresses& from, const SourceBytes& source) {
  std::map<unsigned, LaneMask> reading;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    if (source[lane] != 0) reading[std::min(source[lane], form.bytes)] |= LaneMask{1} << lane;
  }
  for (const auto& [bytes, together] : reading) {
    WarpAccess(warp, op, form.global, from, together, {Kind::load, bytes, copied_later});
  }
}

const Operation* copy(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const CopyForm*>(op.detail);
  const SourceBytes source = source_bytes(warp, form);
  const Addresses from = addresses_of(warp, form.global);
  if (warp.observer() != nullptr) tell_loads(warp, op, lanes, form, from, source);
  const WarpAccess to(warp, op, form.shared, lanes, {Kind::store, form.bytes, copied_later});
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place target = to.place(lane);
    AsyncCopy copy{target.shared_of, target.shared_offset, nullptr, form.bytes, 0, op.site};
    if (source[lane] > form.bytes) {
      warp.fault(op, lane, Sentence::async_copy_source_size, {form.bytes, source[lane]});
    }
    copy.source_bytes = source[lane];
    copy.global = from[lane];
    copy.frees = warp.cta().cluster.launch.memory->frees();
    if (copy.source_bytes == form.bytes) {
      copy.source =
          resolve(warp, op, lane, AddressSpace::global, from[lane], form.bytes, AccessKind::load)
              .bytes;
    } else if (copy.source_bytes != 0) {
      // Only what is copied need be there.
      copy.source = warp.global(from[lane], copy.source_bytes);
      if (copy.source == nullptr || from[lane] % form.bytes != 0) {
        copy.source =
            resolve(warp, op, lane, AddressSpace::global, from[lane], form.bytes, AccessKind::load)
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
  form.shared.space = AddressSpace::shared;
  form.global.space = AddressSpace::global;
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
  decoder.effects().arrives_for_nothing = increments;
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
