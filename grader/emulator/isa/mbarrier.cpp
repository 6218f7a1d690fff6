// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#include <array>
#include <bit>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"

namespace tmaemu {
namespace {

// The operands that the forms share; `detail` of every operation here.
struct MbarrierAccess {
  MemoryAccess address;
  Slot count = 0;                // arrivals, or bytes for expect_tx
  bool sends_bytes = false;      // .expect_tx
  bool drops = false;            // arrive_drop
  bool never_completes = false;  // .noComplete: a promise
  bool tests_only = false;       // test_wait: never sleeps
  bool has_token = false;        // arrive: a destination for the state
};

const MbarrierAccess& access_of(const Operation& op) {
  return *static_cast<const MbarrierAccess*>(op.detail);
}

std::uint32_t mbarrier_address(Warp& warp, const Operation& op, unsigned lane) {
  const std::uint64_t address = address_of(warp, access_of(op).address, lane);
  const std::uint32_t shared =
      shared_address(warp, op, lane, address, sizeof(std::uint64_t), "an mbarrier");
  if (shared % alignof(std::uint64_t) != 0) {
    warp.fault(op, lane, LaunchOutcome::misaligned_address,
               "an mbarrier at shared address " + std::to_string(shared) +
                   ", which is not a multiple of 8");
  }
  return shared;
}

const Operation* initialize(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    const u32 count = warp.lanes<u32>(access_of(op).count)[lane];
    if (count == 0 || count > Mbarrier::max_count) {
      report(warp, finding_at(warp, op, lane, "arrival-overflow",
                              "an mbarrier is initialized with an arrival count of " +
                                  std::to_string(count) + "; it must be 1 to 1048575",
                              "count the arrivals that complete one phase"));
    }
    warp.cta().cluster.init_mbarrier(address, count, warp.thread(lane));
  }
  return &op + 1;
}

const Operation* invalidate(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.store_mbarrier(mbarrier_address(warp, op, lane), Mbarrier{});
  }
  return &op + 1;
}

void report_misuse(Warp& warp, const Operation& op, unsigned lane, const std::string& complaint) {
  const bool uninitialized = complaint.find("initialized") != std::string::npos;
  report(warp,
         finding_at(
             warp, op, lane, uninitialized ? "missing-barrier-init-fence" : "arrival-overflow",
             "an mbarrier cannot take this operation: " + complaint,
             uninitialized ? "one thread calls init_barrier() and fence_barrier_init(), then all "
                             "threads synchronize, then the mbarrier is used"
                           : "the counts of all arrivals of a phase add up to the count that "
                             "init_barrier() was given"));
}

constexpr const char* help_on_remote_barriers =
    "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
    "cluster_arrive() and cluster_wait(), then the mbarrier is used";

// expect_tx, complete_tx, arrive, arrive.expect_tx, arrive_drop.
const Operation* arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  const MbarrierAccess& access = access_of(op);
  Cluster& cluster = warp.cta().cluster;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    Mbarrier before = cluster.load_mbarrier(address);
    // The immediate: how often it arrives where no operand says so; 0 for the tx-count operations,
    // and then the sign of what is added.
    const bool only_bytes = op.immediate != 1;
    const s64 operand = static_cast<s32>(warp.lanes<u32>(access.count)[lane]);
    const s64 bytes =
        only_bytes ? operand * (op.immediate == 0 ? 1 : -1) : (access.sends_bytes ? operand : 0);
    const s64 arrivals = only_bytes ? 0 : (access.sends_bytes ? 1 : operand);
    const ThreadId thread = warp.thread(lane);
    if (access.never_completes && before.tx_count == 0 && arrivals == before.pending) {
      warp.fault(op, lane, LaunchOutcome::not_modelled,
                 "an arrival with .noComplete completes the phase, which is undefined");
    }
    if (!only_bytes && (arrivals < 1 || arrivals > Mbarrier::max_count)) {
      report_misuse(warp, op, lane,
                    "the count of arrivals is " + std::to_string(static_cast<u32>(operand)) +
                        "; it must be 1 to " + std::to_string(Mbarrier::max_count));
      continue;
    }
    if (shared_rank(address) != thread.rank && !cluster.sees_initialization(address, thread)) {
      report(warp, finding_at(warp, op, lane, "missing-barrier-init-fence",
                              "an mbarrier of another CTA is used, and nothing makes sure that it "
                              "is initialized by now",
                              help_on_remote_barriers));
    }
    if (access.drops && before.initialized) {
      before.expected -= arrivals;
      cluster.store_mbarrier(address, before);
    }
    const std::string complaint = cluster.arrive_mbarrier(address, arrivals, bytes, &thread);
    if (!complaint.empty()) report_misuse(warp, op, lane, complaint);
    if (access.has_token) warp.lanes<u64>(op.d)[lane] = before.pack();
  }
  return &op + 1;
}

// Whether the phase that the lane waits for is over. The operand is a parity, or the state that an
// arrival returned.
bool is_over(Warp& warp, const Operation& op, unsigned lane, std::uint32_t address, bool parity) {
  const Mbarrier barrier = warp.cta().cluster.load_mbarrier(address);
  if (!barrier.initialized) {
    report_misuse(warp, op, lane, "it is not initialized");
    return false;
  }
  return barrier.phase_is_over(parity);
}

// What a lane waits for.
struct Awaited {
  std::uint32_t address;
  bool parity;
  bool operator==(const Awaited&) const = default;
};

template <bool by_state>
bool waited_parity(Warp& warp, const Operation& op, unsigned lane) {
  if constexpr (by_state) {
    return Mbarrier::unpack(warp.lanes<u64>(op.b)[lane]).parity;
  } else {
    return (warp.lanes<u32>(op.b)[lane] & 1) != 0;
  }
}

// test_wait answers at once. try_wait sleeps until the phase is over or its time limit has passed,
// which here is when nothing else in the cluster can run either.
template <bool by_state>
const Operation* wait(Warp& warp, const Operation& op, LaneMask lanes) {
  const bool tests_only = access_of(op).tests_only;
  std::array<Awaited, warp_size> awaited;
  LaneMask over = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    const bool parity = waited_parity<by_state>(warp, op, lane);
    awaited[lane] = {address, parity};
    if (is_over(warp, op, lane, address, parity)) {
      over |= LaneMask{1} << lane;
      warp.cta().cluster.observe_mbarrier(address, warp.thread(lane));
    }
  }
  if (over != 0) {
    const u32 offset = shared_offset(awaited[std::countr_zero(over)].address);
    warp.count_wait({stats::Barrier::Kind::mbarrier, offset});
  }
  LaneMask& done = warp.predicate(op.d);
  LaneMask asleep = lanes & ~over;
  if (asleep == 0 || tests_only || warp.take_timeout(asleep)) {
    done = (done & ~lanes) | over;
    if (asleep != 0) warp.yield();
    return &op + 1;
  }
  done |= over;
  // Lanes that wait for the same phase sleep together.
  const Operation* next = &op + 1;
  while (asleep != 0) {
    const Awaited phase = awaited[std::countr_zero(asleep)];
    LaneMask same = 0;
    for (LaneMask rest = asleep; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (awaited[lane] == phase) same |= LaneMask{1} << lane;
    }
    asleep &= ~same;
    next =
        warp.block(op, same, {Wait::Kind::mbarrier, 0, phase.address, phase.parity ? 1u : 0u}, &op);
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

MemoryAccess access_at(Decoder& decoder, AddressSpace space, const ptx::Operand& address) {
  MemoryAccess access;
  access.address = decoder.memory(address);
  access.space = space;
  return access;
}

// {.shared{::cta}}: an mbarrier of the CTA.
AddressSpace take_own_space(Instruction& instruction) {
  return space_of(instruction.take_one_of({"shared", "shared::cta"}));
}

// mbarrier.init{.space}.b64 [address], count
void decode_init(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const AddressSpace space = take_own_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(2);
  MbarrierAccess access;
  access.address = access_at(decoder, space, instruction.operand(0));
  access.count = decoder.source(instruction.operand(1), 4);
  op.detail = decoder.program().keep(access);
  op.execute = initialize;
}

// mbarrier.inval{.space}.b64 [address]
void decode_inval(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const AddressSpace space = take_own_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(1);
  MbarrierAccess access;
  access.address = access_at(decoder, space, instruction.operand(0));
  op.detail = decoder.program().keep(access);
  op.execute = invalidate;
}

// mbarrier.{expect_tx,complete_tx}{.relaxed.scope}{.space}.b64 [address], bytes
template <bool completes>
void decode_tx(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  take_order(instruction, {"relaxed"}, {"cta", "cluster"});
  const AddressSpace space = take_shared_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(2);
  MbarrierAccess access;
  access.address = access_at(decoder, space, instruction.operand(0));
  access.count = decoder.source(instruction.operand(1), 4);
  op.immediate = completes ? -1 : 0;
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

// Where the state goes that an arrival returns, if somebody wants it.
void decode_state(Decoder& decoder, const ptx::Operand& state, AddressSpace space, Operation& op,
                  MbarrierAccess& access) {
  if (state.kind == ptx::Operand::Kind::sink) return;
  if (space == AddressSpace::shared_cluster) refuse("returns no state from another CTA");
  op.d = decoder.destination(state, 8);
  access.has_token = true;
}

// mbarrier.arrive{.sem.scope}{.space}.b64 state, [address] {, count}
// mbarrier.arrive.expect_tx{.sem.scope}{.space}.b64 state, [address], bytes
// mbarrier.arrive.noComplete{.release.cta}{.space}.b64 state, [address], count
// and mbarrier.arrive_drop.
template <bool drops>
void decode_arrive(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  MbarrierAccess access;
  access.drops = drops;
  access.sends_bytes = instruction.take("expect_tx");
  access.never_completes = !access.sends_bytes && instruction.take("noComplete");
  const bool is_own = access.never_completes;
  if (is_own) {
    take_order(instruction, {"release"}, {"cta"});
  } else {
    take_order(instruction, {"release", "relaxed"}, {"cta", "cluster"});
  }
  const AddressSpace space = is_own ? take_own_space(instruction) : take_shared_space(instruction);
  instruction.require("b64");
  const bool needs_count = access.sends_bytes || access.never_completes;
  instruction.expect_operands(needs_count ? 3 : 2, 3);
  decode_state(decoder, instruction.operand(0), space, op, access);
  access.address = access_at(decoder, space, instruction.operand(1));
  access.count = instruction.operand_count() == 3 ? decoder.source(instruction.operand(2), 4)
                                                  : decoder.constant(1, 4);
  op.immediate = 1;
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

// mbarrier.test_wait{.parity}{.sem.scope}{.space}.b64 d, [address], state or parity
// mbarrier.try_wait..., which may have a time limit for a fourth operand
template <bool tests_only>
void decode_wait(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool by_parity = instruction.take("parity");
  take_order(instruction, {"acquire", "relaxed"}, {"cta", "cluster"});
  const AddressSpace space = take_own_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(3, tests_only ? 3 : 4);
  MbarrierAccess access;
  access.tests_only = tests_only;
  access.address = access_at(decoder, space, instruction.operand(1));
  op.d = decoder.destination(instruction.operand(0), 0);
  op.b = decoder.source(instruction.operand(2), by_parity ? 4 : 8);
  // Here time passes when nothing else in the cluster can run.
  if (instruction.operand_count() == 4) decoder.source(instruction.operand(3), 4);
  op.detail = decoder.program().keep(access);
  op.execute = by_parity ? wait<false> : wait<true>;
}

// mbarrier.pending_count.b64 d, state
void decode_pending_count(Decoder& decoder, Instruction& instruction, Operation& op,
                          const Definition&) {
  instruction.require("b64");
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 8);
  op.execute = pending_count;
}

constexpr Definition table[] = {
    {"mbarrier.init", decode_init},
    {"mbarrier.inval", decode_inval},
    {"mbarrier.expect_tx", decode_tx<false>},
    {"mbarrier.complete_tx", decode_tx<true>},
    {"mbarrier.arrive", decode_arrive<false>},
    {"mbarrier.arrive_drop", decode_arrive<true>},
    {"mbarrier.test_wait", decode_wait<true>},
    {"mbarrier.try_wait", decode_wait<false>},
    {"mbarrier.pending_count", decode_pending_count},
};

}  // namespace

std::span<const Definition> mbarrier_definitions() {
  return table;
}

}  // namespace tmaemu
