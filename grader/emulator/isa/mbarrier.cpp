// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "emulator/isa/address.h"
#include "emulator/isa/report.h"

namespace tmaemu {
namespace {

// The operands that the forms share; `detail` of every operation here.
struct MbarrierAccess {
  MemoryAccess address;
  Slot count = 0;            // arrivals, or bytes for expect_tx
  bool sends_bytes = false;  // .expect_tx
  bool drops = false;        // arrive_drop
  bool tests_only = false;   // test_wait: never sleeps
  bool has_token = false;    // arrive: a destination for the state
};

const MbarrierAccess& access_of(const Operation& op) {
  return *static_cast<const MbarrierAccess*>(op.detail);
}

std::uint32_t mbarrier_address(Warp& warp, const Operation& op, unsigned lane) {
  const std::uint64_t address = address_of(warp, access_of(op).address, lane);
  const std::uint32_t shared =
      shared_address(warp, op, lane, address, sizeof(std::uint64_t), "an mbarrier");
  if (shared % alignof(std::uint64_t) != 0) {
    warp.fault(op, lane, Sentence::mbarrier_misaligned, {shared});
  }
  return shared;
}

const Operation* initialise(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    const u32 count = warp.lanes<u32>(access_of(op).count)[lane];
    if (count == 0 || count > Mbarrier::max_count) {
      report(warp, finding_at(warp, op, lane, Sentence::mbarrier_init_count,
                              {count, Mbarrier::max_count}));
    }
    warp.cta().cluster.mbarriers().initialize(address, count, warp.thread(lane));
  }
  return &op + 1;
}

const Operation* invalidate(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.mbarriers().store(mbarrier_address(warp, op, lane), Mbarrier{});
  }
  return &op + 1;
}

// expect_tx, complete_tx, arrive, arrive.expect_tx, arrive_drop.
const Operation* arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  const MbarrierAccess& access = access_of(op);
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    Mbarrier before = cluster.mbarriers().load(address);
    // The immediate: how often it arrives where no operand says so; 0 for the tx-count operations,
    // and then the sign of what is added.
    const bool only_bytes = op.immediate != 1;
    const s64 operand = static_cast<s32>(warp.lanes<u32>(access.count)[lane]);
    const s64 bytes =
        only_bytes ? operand * (op.immediate == 0 ? 1 : -1) : (access.sends_bytes ? operand : 0);
    const s64 arrivals = only_bytes ? 0 : (access.sends_bytes ? 1 : operand);
    const ThreadId thread = warp.thread(lane);
    if (!only_bytes && (arrivals < 1 || arrivals > Mbarrier::max_count)) {
      report(warp, finding_at(warp, op, lane, Sentence::mbarrier_arrival_count,
                              {static_cast<u32>(operand), Mbarrier::max_count}));
      continue;
    }
    if (shared_rank(address) != thread.rank &&
        !cluster.mbarriers().sees_initialization(address, thread)) {
      report(warp, finding_at(warp, op, lane, Sentence::mbarrier_of_other_cta_unseen));
    }
    if (access.drops && before.initialized) {
      before.expected -= arrivals;
      cluster.mbarriers().store(address, before);
    }
    if (const auto misuse = cluster.mbarriers().arrive(address, arrivals, bytes, &thread)) {
      constexpr MbarrierMisuse::Sentences sentences{Sentence::mbarrier_uninitialized,
                                                    Sentence::mbarrier_arrivals,
                                                    Sentence::mbarrier_tx_count};
      report(warp, finding_at(warp, op, lane, misuse->said_as(sentences), misuse->values()));
    }
    if (access.has_token) warp.lanes<u64>(op.d)[lane] = before.pack();
  }
  return &op + 1;
}

// What a lane waits for.
struct Phase {
  std::uint32_t mbarrier = 0;
  bool parity = false;
  bool operator==(const Phase&) const = default;
};

// Whether the phase that the lane waits for is over. The operand is a parity, or the state that an
// arrival returned.
bool is_over(Warp& warp, const Operation& op, unsigned lane, const Phase& phase) {
  const Mbarrier barrier = warp.cta().cluster.mbarriers().load(phase.mbarrier);
  if (!barrier.initialized) {
    report(warp, finding_at(warp, op, lane, Sentence::mbarrier_uninitialized));
    return false;
  }
  return barrier.phase_is_over(phase.parity);
}

template <bool by_state>
bool waited_parity(Warp& warp, const Operation& op, unsigned lane) {
  if constexpr (by_state) {
    return Mbarrier::unpack(warp.lanes<u64>(op.b)[lane]).parity;
  } else {
    return (warp.lanes<u32>(op.b)[lane] & 1) != 0;
  }
}

// Lanes that wait for one phase.
struct Waiting {
  Phase phase;
  LaneMask lanes = 0;
};

// The phases that the lanes wait for: one, where a program has no surprises.
template <bool by_state>
const std::vector<Waiting>& sorted_by_phase(Warp& warp, const Operation& op, LaneMask lanes) {
  thread_local std::vector<Waiting> sorted;
  sorted.clear();
  std::uint64_t last_address = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const LaneMask bit = LaneMask{1} << lane;
    const std::uint64_t address = address_of(warp, access_of(op).address, lane);
    const bool parity = waited_parity<by_state>(warp, op, lane);
    if (!sorted.empty() && address == last_address && parity == sorted.back().phase.parity) {
      sorted.back().lanes |= bit;
      continue;
    }
    last_address = address;
    const Phase phase{mbarrier_address(warp, op, lane), parity};
    const auto same = std::ranges::find(sorted, phase, &Waiting::phase);
    if (same == sorted.end()) {
      sorted.push_back({phase, bit});
    } else {
      same->lanes |= bit;
      std::iter_swap(same, sorted.end() - 1);
    }
  }
  return sorted;
}

// test_wait answers at once. try_wait sleeps until the phase is over or its time limit has passed,
// which here is when nothing else in the cluster can run either.
template <bool by_state>
const Operation* wait(Warp& warp, const Operation& op, LaneMask lanes) {
  Mbarriers& mbarriers = warp.cta().cluster.mbarriers();
  const auto& sorted = sorted_by_phase<by_state>(warp, op, lanes);
  LaneMask over = 0;
  for (const Waiting& waiting : sorted) {
    const auto first = static_cast<unsigned>(std::countr_zero(waiting.lanes));
    if (!is_over(warp, op, first, waiting.phase)) continue;
    over |= waiting.lanes;
    mbarriers.observe(waiting.phase.mbarrier, warp.thread(0), waiting.lanes);
    warp.tell_wait({BarrierId::Kind::mbarrier, waiting.phase.mbarrier}, waiting.lanes);
  }
  LaneMask& done = warp.predicate(op.d);
  const LaneMask asleep = lanes & ~over;
  if (asleep == 0 || access_of(op).tests_only || warp.take_timeout(asleep)) {
    done = (done & ~lanes) | over;
    if (asleep != 0) warp.yield();
    return &op + 1;
  }
  done |= over;
  // Lanes that wait for the same phase sleep together.
  const Operation* next = &op + 1;
  for (const auto& [phase, waiting] : sorted) {
    if ((waiting & over) != 0) continue;
    const std::uint64_t parity = phase.parity ? 1 : 0;
    next = warp.block(op, waiting, {Wait::Kind::mbarrier, 0, phase.mbarrier, parity}, &op);
  }
  return next;
}

const Operation* pending_count(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Mbarrier state = Mbarrier::unpack(warp.lanes<u64>(op.a)[lane]);
    warp.lanes<u32>(op.d)[lane] = static_cast<u32>(state.pending);
  }
  return &op + 1;
}

MemoryAccess decode_address(Decoder& decoder, const ptx::Instruction& instruction,
                            const ptx::Operand& operand) {
  MemoryAccess access;
  access.address = decoder.memory(operand);
  access.space = space_of(instruction);
  return access;
}

void decode_init(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs an mbarrier and a count");
  MbarrierAccess access;
  access.address = decode_address(decoder, instruction, instruction.operands[0]);
  access.count = decoder.source(instruction.operands[1], 4);
  op.detail = decoder.program().keep(access);
  op.execute = initialise;
}

void decode_inval(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  if (instruction.operands.size() != 1) Decoder::refuse("needs an mbarrier");
  MbarrierAccess access;
  access.address = decode_address(decoder, instruction, instruction.operands[0]);
  op.detail = decoder.program().keep(access);
  op.execute = invalidate;
}

void decode_tx(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
               const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs an mbarrier and a number of bytes");
  MbarrierAccess access;
  access.address = decode_address(decoder, instruction, instruction.operands[0]);
  access.count = decoder.source(instruction.operands[1], 4);
  op.immediate = instruction.parts[1] == "complete_tx" ? -1 : 0;
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

// mbarrier.arrive{_drop}{.expect_tx}... {state,} [address] {, count or bytes};
void decode_arrive(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                   const Definition&) {
  MbarrierAccess access;
  access.sends_bytes = has_modifier(instruction, "expect_tx");
  access.drops = instruction.parts[1] == "arrive_drop";
  std::size_t next = 0;
  if (!instruction.operands.empty() &&
      instruction.operands[0].kind != ptx::Operand::Kind::address) {
    if (instruction.operands[0].kind != ptx::Operand::Kind::sink) {
      op.d = decoder.destination(instruction.operands[0], 8);
      access.has_token = true;
    }
    next = 1;
  }
  if (instruction.operands.size() <= next) Decoder::refuse("needs an mbarrier");
  access.address = decode_address(decoder, instruction, instruction.operands[next]);
  access.count = instruction.operands.size() > next + 1
                     ? decoder.source(instruction.operands[next + 1], 4)
                     : decoder.constant(1, 4);
  op.immediate = 1;
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

void decode_wait(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (instruction.operands.size() < 3)
    Decoder::refuse("needs a predicate, an mbarrier and a phase");
  MbarrierAccess access;
  access.tests_only = instruction.parts[1] == "test_wait";
  access.address = decode_address(decoder, instruction, instruction.operands[1]);
  const bool by_parity = has_modifier(instruction, "parity");
  op.d = decoder.destination(instruction.operands[0], 0);
  op.b = decoder.source(instruction.operands[2], by_parity ? 4 : 8);
  op.detail = decoder.program().keep(access);
  op.execute = by_parity ? wait<false> : wait<true>;
}

void decode_pending_count(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                          const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs a destination and a state");
  op.d = decoder.destination(instruction.operands[0], 4);
  op.a = decoder.source(instruction.operands[1], 8);
  op.execute = pending_count;
}

constexpr Definition table[] = {
    {"mbarrier.init", decode_init},
    {"mbarrier.inval", decode_inval},
    {"mbarrier.expect_tx mbarrier.complete_tx", decode_tx},
    {"mbarrier.arrive mbarrier.arrive_drop", decode_arrive},
    {"mbarrier.test_wait mbarrier.try_wait", decode_wait},
    {"mbarrier.pending_count", decode_pending_count},
};

}  // namespace

std::span<const Definition> mbarrier_definitions() {
  return table;
}

}  // namespace tmaemu
