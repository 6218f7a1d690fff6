// PTX ISA, "Parallel Synchronization and Communication": bar and barrier.
#include <bit>
#include <string>

#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/isa/sync/convergence.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// bar.sync a{, b}: a names the barrier, b counts the threads; all living ones where it is absent.
struct BarrierOperands {
  Slot barrier;
  Slot threads;
  bool counts = false;
  bool is_aligned = false;
};

unsigned barrier_index(Warp& warp, const Operation& op, unsigned lane,
                       const BarrierOperands& operands) {
  const u32 index = warp.lanes<u32>(operands.barrier)[lane];
  if (index >= Cta::barrier_count) {
    warp.fault(op, lane, Sentence::barrier_number, {index});
  }
  return index;
}

// The threads that the operand counts; 0 where there is none: all that live.
unsigned barrier_threads(Warp& warp, const Operation& op, unsigned lane,
                         const BarrierOperands& operands) {
  const u32 threads = operands.counts ? warp.lanes<u32>(operands.threads)[lane] : 0;
  if (threads % warp_size != 0) {
    warp.fault(op, lane, Sentence::barrier_thread_count, {threads});
  }
  return threads;
}

void tell_arrival(Warp& warp, const Operation& op, LaneMask lanes, unsigned index,
                  unsigned expected, bool also_waits, bool is_aligned) {
  Observer* const observer = warp.cta().cluster.observer();
  if (observer == nullptr) return;
  observer->arrives_at_barrier(
      {{BarrierId::Kind::cta, index}, warp.id(), lanes, op.site, expected, also_waits, is_aligned});
}

// The warp arrives once, also where its lanes come from different places.
template <bool also_waits>
const Operation* barrier(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& operands = *static_cast<const BarrierOperands*>(op.detail);
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const unsigned index = barrier_index(warp, op, lane, operands);
  const unsigned expected = barrier_threads(warp, op, lane, operands);
  const auto arrive = [&](Arrivals arrivals) {
    for (const Arrival& arrival : arrivals) {
      const bool is_aligned = static_cast<const BarrierOperands*>(arrival.op->detail)->is_aligned;
      tell_arrival(warp, *arrival.op, arrival.lanes, index, expected, also_waits, is_aligned);
      if (also_waits) warp.tell_wait(*arrival.op, {BarrierId::Kind::cta, index}, arrival.lanes);
    }
    Cta& cta = warp.cta();
    const u64 generation = cta.barriers[index].generation;
    cta.arrive(index, expected, warp, lanes_of(arrivals));
    const bool is_over = cta.barriers[index].generation != generation;
    if (!also_waits || is_over) return resume(warp, arrivals, {});
    return resume(warp, arrivals, {Wait::Kind::cta_barrier, index, 0, generation});
  };
  const Wait for_others{Wait::Kind::warp_at_barrier, index, 0, all_lanes, op.execute};
  return execute_together(warp, op, lanes, for_others, arrive);
}

// barrier.red: a barrier that counts the threads whose predicate holds. Lanes that slept come back
// to the same operation for the result.
struct ReductionOperands {
  BarrierOperands barrier;
  Slot predicate = 0;
  LaneMask flip = 0;
};
enum class Reduction { count, all, any };

template <Reduction reduction>
void write_result(Warp& warp, const Operation& op, LaneMask lanes, const CtaBarrier& barrier) {
  if constexpr (reduction == Reduction::count) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      warp.lanes<u32>(op.d)[std::countr_zero(rest)] = barrier.last_holding;
    }
  } else {
    const bool holds = reduction == Reduction::all ? barrier.last_holding == barrier.last_arrived
                                                   : barrier.last_holding != 0;
    LaneMask& d = warp.predicate(op.d);
    d = holds ? d | lanes : d & ~lanes;
  }
}

template <Reduction reduction>
const Operation* barrier_red(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& operands = *static_cast<const ReductionOperands*>(op.detail);
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const unsigned index = barrier_index(warp, op, lane, operands.barrier);
  CtaBarrier& barrier = warp.cta().barriers[index];
  const LaneMask returning = lanes & warp.reducing();
  if (returning != 0) {
    write_result<reduction>(warp, op, returning, barrier);
    warp.reducing() &= ~returning;
  }
  const LaneMask arriving = lanes & ~returning;
  if (arriving == 0) return &op + 1;
  const unsigned expected = barrier_threads(warp, op, lane, operands.barrier);
  tell_arrival(warp, op, arriving, index, expected, true, operands.barrier.is_aligned);
  warp.tell_wait(op, {BarrierId::Kind::cta, index}, arriving);
  const u64 generation = barrier.generation;
  const LaneMask holding = (warp.predicate(operands.predicate) ^ operands.flip) & arriving;
  warp.cta().arrive(index, expected, warp, arriving, holding);
  if (barrier.generation != generation) {
    write_result<reduction>(warp, op, arriving, barrier);
    return &op + 1;
  }
  warp.reducing() |= arriving;
  return warp.block(op, arriving, {Wait::Kind::cta_barrier, index, 0, generation}, &op);
}

// The barrier's number, and the count of threads where there is one: operands `first` on.
BarrierOperands barrier_operands(Decoder& decoder, const Instruction& instruction,
                                 std::size_t first, bool counts, bool is_aligned) {
  BarrierOperands operands{};
  operands.is_aligned = is_aligned;
  operands.barrier = decoder.source(instruction.operand(first), 4);
  operands.counts = counts;
  if (counts) operands.threads = decoder.source(instruction.operand(first + 1), 4);
  return operands;
}

// .cta says what is meant anyway. True of .aligned, which promises that all lanes come together;
// they need not here. PTX ISA, "bar": bar.sync is barrier.cta.sync.aligned.
bool take_barrier_modifiers(Instruction& instruction) {
  instruction.take("cta");
  return instruction.opcode() == "bar" || instruction.take("aligned");
}

// barrier{.cta}.red.popc{.aligned}.u32 d, a{, b}, {!}p;
// barrier{.cta}.red.{and,or}{.aligned}.pred d, a{, b}, {!}p;
void decode_reduction(Decoder& decoder, Instruction& instruction, Operation& op, bool is_aligned) {
  static constexpr Choice<Handler> reductions[] = {{"popc", barrier_red<Reduction::count>},
                                                   {"and", barrier_red<Reduction::all>},
                                                   {"or", barrier_red<Reduction::any>}};
  op.execute = instruction.require_one_of(reductions, "reduction");
  const bool counts = op.execute == reductions[0].value;
  instruction.require(counts ? "u32" : "pred");
  instruction.expect_operands(3, 4);
  const std::size_t last = instruction.operand_count() - 1;
  ReductionOperands operands{};
  operands.barrier = barrier_operands(decoder, instruction, 1, last == 3, is_aligned);
  operands.predicate = decoder.predicate(instruction.operand(last));
  operands.flip = instruction.operand(last).negated ? all_lanes : 0;
  op.d = decoder.destination(instruction.operand(0), counts ? 4 : 0);
  op.detail = decoder.program().keep(operands);
}

// barrier{.cta}.sync{.aligned} a{, b}; barrier{.cta}.arrive{.aligned} a, b; and bar...
void decode_barrier(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  decoder.effects().acts = true;
  const bool is_aligned = take_barrier_modifiers(instruction);
  decoder.effects().awaits_cta = true;
  if (instruction.take("red")) return decode_reduction(decoder, instruction, op, is_aligned);
  const bool arrives = instruction.take("arrive");
  decoder.effects().awaits_cta = !arrives;
  if (!arrives) instruction.require("sync");
  instruction.expect_operands(arrives ? 2 : 1, 2);
  op.detail = decoder.program().keep(
      barrier_operands(decoder, instruction, 0, instruction.operand_count() == 2, is_aligned));
  op.execute = arrives ? barrier<false> : barrier<true>;
}

constexpr Definition table[] = {
    {"bar barrier", decode_barrier},
};

}  // namespace

std::span<const Definition> barrier_definitions() {
  return table;
}

}  // namespace tmaemu
