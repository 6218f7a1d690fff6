// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#include <array>
#include <bit>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"

namespace tmaemu {
namespace {

// What `arrive` does to the phase: an arrival, which may send bytes, too, or a change of the
// tx-count alone.
enum class Change : std::uint8_t { arrival, more_bytes, fewer_bytes };

// The operands that the forms share; `detail` of every operation here.
struct MbarrierAccess {
  Change change = Change::arrival;
  MemoryAccess address;
  Slot count = 0;                // arrivals, or bytes for expect_tx
  bool sends_bytes = false;      // .expect_tx
  bool drops = false;            // arrive_drop
  bool never_completes = false;  // .noComplete: a promise
  bool tests_only = false;       // test_wait: never sleeps
  bool has_token = false;        // arrive: a destination for the state
  MemoryOrder order = {};        // of arrivals and waits
};

const MbarrierAccess& access_of(const Operation& op) {
  return *static_cast<const MbarrierAccess*>(op.detail);
}

// What is told of mistakes. Not inline: correct programs, which come to mbarriers all the time,
// need neither the stack nor the registers for the words.
[[noreturn, gnu::noinline]] void refuse_misaligned(const Warp& warp, const Operation& op,
                                                   unsigned lane, std::uint32_t address) {
  warp.fault(op, lane, Sentence::mbarrier_misaligned, {common::hexadecimal(address)});
}

[[gnu::noinline]] void report_misuse(const Warp& warp, const Operation& op, unsigned lane,
                                     Sentence sentence) {
  report(warp, finding_at(warp, op, lane, sentence));
}

[[gnu::noinline]] void report_misuse(Warp& warp, const Operation& op, unsigned lane,
                                     std::uint32_t address, std::int64_t tx_bytes,
                                     const MbarrierMisuse& misuse) {
  constexpr MbarrierMisuse::Sentences sentences{
      Sentence::mbarrier_uninitialized, Sentence::mbarrier_arrivals, Sentence::mbarrier_tx_count};
  const Finding finding = finding_at(warp, op, lane, misuse.said_as(sentences), misuse.values());
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->overflows_mbarrier(address, tx_bytes, finding);
  }
  report(warp, finding);
}

// It is no mbarrier.
[[gnu::noinline]] void miss_mbarrier(Warp& warp, const Operation& op, unsigned lane,
                                     std::uint32_t address) {
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->misses_mbarrier(address, warp.thread(lane), op.site);
  }
  report_misuse(warp, op, lane, Sentence::mbarrier_uninitialized);
}

[[gnu::noinline]] void report_count(const Warp& warp, const Operation& op, unsigned lane,
                                    Sentence sentence, u32 count) {
  report(warp, finding_at(warp, op, lane, sentence, {count, Mbarrier::max_count}));
}

std::uint32_t mbarrier_address(Warp& warp, const Operation& op, unsigned lane) {
  const std::uint32_t shared =
      shared_address(warp, op, lane, access_of(op).address, sizeof(std::uint64_t),
                     {"an mbarrier", Sentence::mbarrier_of_another_cta});
  if (shared % alignof(std::uint64_t) != 0) refuse_misaligned(warp, op, lane, shared);
  return shared;
}

const Operation* initialize(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t address = mbarrier_address(warp, op, lane);
    const u32 count = warp.lanes<u32>(access_of(op).count)[lane];
    if (count == 0 || count > Mbarrier::max_count) {
      report_count(warp, op, lane, Sentence::mbarrier_init_count, count);
    }
    warp.cta().cluster.mbarriers().initialize(address, count, warp.thread(lane), op.site);
  }
  return &op + 1;
}

const Operation* invalidate(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.mbarriers().invalidate(mbarrier_address(warp, op, lane), warp.thread(lane),
                                              op.site);
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
    const bool only_bytes = access.change != Change::arrival;
    const s64 operand = static_cast<s32>(warp.lanes<u32>(access.count)[lane]);
    const s64 sent = access.sends_bytes ? operand : 0;
    const s64 bytes = access.change == Change::fewer_bytes ? -operand : only_bytes ? operand : sent;
    const s64 arrivals = only_bytes ? 0 : (access.sends_bytes ? 1 : operand);
    const ThreadId thread = warp.thread(lane);
    if (access.never_completes && before.tx_count == 0 && arrivals == before.pending) {
      warp.fault(op, lane, Sentence::arrival_completes_phase);
    }
    if (!only_bytes && (arrivals < 1 || arrivals > Mbarrier::max_count)) {
      report_count(warp, op, lane, Sentence::mbarrier_arrival_count, static_cast<u32>(operand));
      continue;
    }
    if (access.drops && before.initialized) {
      before.expected -= arrivals;
      cluster.mbarriers().store(address, before);
    }
    if (const auto misuse = cluster.mbarriers().arrive(address, arrivals, bytes,
                                                       {&thread, op.site, access.order})) {
      if (misuse->kind == MbarrierMisuse::Kind::uninitialized) {
        miss_mbarrier(warp, op, lane, address);
      } else {
        report_misuse(warp, op, lane, address, bytes, *misuse);
      }
    }
    if (access.has_token) warp.lanes<u64>(op.d)[lane] = before.pack();
  }
  return &op + 1;
}

// What a lane waits for.
struct Phase {
  std::uint32_t mbarrier;
  bool parity;
  bool operator==(const Phase&) const = default;
};

// Whether the phase that the lane waits for is over. The operand is a parity, or the state that an
// arrival returned.
bool is_over(Warp& warp, const Operation& op, unsigned lane, const Phase& phase) {
  const Mbarrier barrier = warp.cta().cluster.mbarriers().load(phase.mbarrier);
  if (!barrier.initialized) {
    miss_mbarrier(warp, op, lane, phase.mbarrier);
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
  LaneMask lanes;
};

// The phases that the lanes of a warp wait for: one, where a program has no surprises.
class Waits {
 public:
  void add(const Phase& phase, LaneMask lane) {
    unsigned i = 0;
    while (i < count_ && all_[i].phase != phase) ++i;
    if (i == count_) all_[count_++] = {phase, 0};
    all_[i].lanes |= lane;
  }
  const Waiting* begin() const { return all_.data(); }
  const Waiting* end() const { return all_.data() + count_; }

 private:
  std::array<Waiting, warp_size> all_;
  unsigned count_ = 0;
};

template <bool by_state>
Waits waits_of(Warp& warp, const Operation& op, LaneMask lanes) {
  Waits waits;
  std::uint64_t last_address = 0;
  Phase phase{};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = address_of(warp, access_of(op).address, lane);
    if (rest == lanes || address != last_address) phase.mbarrier = mbarrier_address(warp, op, lane);
    phase.parity = waited_parity<by_state>(warp, op, lane);
    last_address = address;
    waits.add(phase, LaneMask{1} << lane);
  }
  return waits;
}

// test_wait answers at once. try_wait sleeps until the phase is over or its time limit has passed,
// which here is when nothing else in the cluster can run either.
template <bool by_state>
const Operation* wait(Warp& warp, const Operation& op, LaneMask lanes) {
  Mbarriers& mbarriers = warp.cta().cluster.mbarriers();
  const Waits waits = waits_of<by_state>(warp, op, lanes);
  LaneMask over = 0;
  for (const Waiting& waiting : waits) {
    const auto first = static_cast<unsigned>(std::countr_zero(waiting.lanes));
    if (!is_over(warp, op, first, waiting.phase)) continue;
    over |= waiting.lanes;
    mbarriers.observe({waiting.phase.mbarrier, warp.thread(0), op.site, access_of(op).order},
                      waiting.lanes);
    warp.tell_wait(op, {BarrierId::Kind::mbarrier, waiting.phase.mbarrier}, waiting.lanes);
  }
  LaneMask& done = warp.predicate(op.d);
  const LaneMask asleep = lanes & ~over;
  if (asleep == 0 || access_of(op).tests_only || warp.take_timeout(asleep) ||
      warp.cta().cluster.gives_up(op.site)) {
    write_lanes(done, over, lanes);
    for (const auto& [phase, waiting] : waits) {
      if ((waiting & asleep) != 0) {
        warp.asked_in_vain(op, phase.mbarrier, phase.parity);
      } else {
        Warp::Flags flags(op);
        for (LaneMask rest = waiting; rest != 0; rest &= rest - 1) {
          flags.add(static_cast<unsigned>(std::countr_zero(rest)), phase.mbarrier,
                    phase.parity ? 1 : 0);
        }
        warp.loaded_flags(flags);
      }
    }
    return &op + 1;
  }
  done |= over;
  // Lanes that wait for the same phase sleep together.
  const Operation* next = &op + 1;
  for (const auto& [phase, waiting] : waits) {
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

// Without a space a generic address, of the own CTA, too: PTX ISA, "mbarrier", and so does an H100.
MemoryAccess access_at(Decoder& decoder, AddressSpace space, const ptx::Operand& address) {
  MemoryAccess access;
  access.address = decoder.memory(address);
  access.space = space == AddressSpace::generic ? AddressSpace::shared : space;
  return access;
}

// {.shared{::cta}}: an mbarrier of the CTA.
AddressSpace take_own_space(Instruction& instruction) {
  return space_of(instruction.take_one_of({"shared", "shared::cta"}));
}

constexpr Choice<Semantics> only_relaxed[] = {{"relaxed", Semantics::relaxed}};
constexpr Choice<Semantics> only_release[] = {{"release", Semantics::release}};
constexpr Choice<Semantics> arrival_semantics[] = {{"release", Semantics::release},
                                                   {"relaxed", Semantics::relaxed}};
constexpr Choice<Semantics> wait_semantics[] = {{"acquire", Semantics::acquire},
                                                {"relaxed", Semantics::relaxed}};
// PTX says .cta where no scope is written. But an mbarrier of another CTA may be arrived at without
// a scope, too, and everybody does so who tells another CTA that a stage is free: taken for
// .cluster.
constexpr MemoryOrder usual_arrival{Semantics::release, Scope::cluster};

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
  MbarrierAccess access;
  access.order = take_order(instruction, only_relaxed, {Semantics::relaxed, Scope::cluster});
  const AddressSpace space = take_shared_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(2);
  access.address = access_at(decoder, space, instruction.operand(0));
  access.address.space = AddressSpace::shared_cluster;  // in every form, on an H100
  access.count = decoder.source(instruction.operand(1), 4);
  access.change = completes ? Change::fewer_bytes : Change::more_bytes;
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
  access.order = is_own ? take_order(instruction, only_release, usual_arrival)
                        : take_order(instruction, arrival_semantics, usual_arrival);
  const AddressSpace space = is_own ? take_own_space(instruction) : take_shared_space(instruction);
  instruction.require("b64");
  const bool needs_count = access.sends_bytes || access.never_completes;
  instruction.expect_operands(needs_count ? 3 : 2, 3);
  decode_state(decoder, instruction.operand(0), space, op, access);
  access.address = access_at(decoder, space, instruction.operand(1));
  access.count = instruction.operand_count() == 3 ? decoder.source(instruction.operand(2), 4)
                                                  : decoder.constant(1, 4);
  op.detail = decoder.program().keep(access);
  op.execute = arrive;
}

// mbarrier.test_wait{.parity}{.sem.scope}{.space}.b64 d, [address], state or parity
// mbarrier.try_wait..., which may have a time limit for a fourth operand
template <bool tests_only>
void decode_wait(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool by_parity = instruction.take("parity");
  MbarrierAccess access;
  access.order = take_order(instruction, wait_semantics, {Semantics::acquire, Scope::cluster});
  const AddressSpace space = take_own_space(instruction);
  instruction.require("b64");
  instruction.expect_operands(3, tests_only ? 3 : 4);
  access.tests_only = tests_only;
  access.address = access_at(decoder, space, instruction.operand(1));
  decoder.effects().asks_phase = true;
  decoder.effects().asks_once = tests_only;
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
