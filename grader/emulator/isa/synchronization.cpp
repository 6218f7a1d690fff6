// PTX ISA, "Parallel Synchronization and Communication": bar and barrier, fences.
#include <bit>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// bar.sync a{, b}: a names the barrier, b counts the threads; all living ones where it is absent.
struct BarrierOperands {
  Slot barrier;
  Slot threads;
  bool counts = false;
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

const Operation* barrier_sync(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& operands = *static_cast<const BarrierOperands*>(op.detail);
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const unsigned index = barrier_index(warp, op, lane, operands);
  const unsigned expected = barrier_threads(warp, op, lane, operands);
  warp.tell_wait({BarrierId::Kind::cta, index}, lanes);
  Cta& cta = warp.cta();
  const u64 generation = cta.barriers[index].generation;
  cta.arrive(index, expected, warp, lanes);
  if (cta.barriers[index].generation != generation) return &op + 1;
  return warp.block(op, lanes, {Wait::Kind::cta_barrier, index, 0, generation}, &op + 1);
}

const Operation* barrier_arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& operands = *static_cast<const BarrierOperands*>(op.detail);
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const unsigned index = barrier_index(warp, op, lane, operands);
  warp.cta().arrive(index, barrier_threads(warp, op, lane, operands), warp, lanes);
  return &op + 1;
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
  warp.tell_wait({BarrierId::Kind::cta, index}, arriving);
  const unsigned expected = barrier_threads(warp, op, lane, operands.barrier);
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

// bar.red.popc.u32 d, a{, b}, {!}p;   bar.red.{and,or}.pred d, a{, b}, {!}p;
void decode_reduction(Decoder& decoder, const ptx::Instruction& instruction, Operation& op) {
  const std::size_t count = instruction.operands.size();
  if (count != 3 && count != 4) Decoder::refuse("has an unexpected number of operands");
  ReductionOperands operands{};
  operands.barrier.barrier = decoder.source(instruction.operands[1], 4);
  if (count == 4) {
    operands.barrier.threads = decoder.source(instruction.operands[2], 4);
    operands.barrier.counts = true;
  }
  operands.predicate = decoder.predicate(instruction.operands.back());
  operands.flip = instruction.operands.back().negated ? all_lanes : 0;
  const bool counts = has_modifier(instruction, "popc");
  op.d = decoder.destination(instruction.operands[0], counts ? 4 : 0);
  if (counts) {
    op.execute = barrier_red<Reduction::count>;
  } else if (has_modifier(instruction, "and")) {
    op.execute = barrier_red<Reduction::all>;
  } else if (has_modifier(instruction, "or")) {
    op.execute = barrier_red<Reduction::any>;
  } else {
    Decoder::refuse("names no reduction");
  }
  op.detail = decoder.program().keep(operands);
}

void decode_barrier(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                    const Definition&) {
  const bool arrives = has_modifier(instruction, "arrive");
  if (has_modifier(instruction, "red")) return decode_reduction(decoder, instruction, op);
  if (!arrives && !has_modifier(instruction, "sync")) {
    Decoder::refuse("is neither a sync nor an arrive");
  }
  const std::size_t count = instruction.operands.size();
  if (count == 0 || count > 2 || (arrives && count != 2)) {
    Decoder::refuse("has an unexpected number of operands");
  }
  BarrierOperands operands{};
  operands.barrier = decoder.source(instruction.operands[0], 4);
  if (count == 2) {
    operands.threads = decoder.source(instruction.operands[1], 4);
    operands.counts = true;
  }
  op.detail = decoder.program().keep(operands);
  op.execute = arrives ? barrier_arrive : barrier_sync;
}

// Whether any of the lanes knows of a write: its own, or one that a synchronisation told it of.
class KnownWrites {
 public:
  KnownWrites(Warp& warp, LaneMask lanes) : warp_(warp), lanes_(lanes) {
    const Causality& causality = warp.cta().cluster.causality();
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const VectorClock* knowledge = &causality.clock(warp.thread(lane));
      if (knowledge != last_) distinct_[count_++] = last_ = knowledge;
    }
  }
  bool operator()(ThreadId writer, Epoch epoch) const {
    if (writer.rank == warp_.cta().rank && writer.index / warp_size == warp_.index() &&
        (lanes_ >> writer.index % warp_size & 1) != 0) {
      return true;
    }
    for (unsigned i = 0; i < count_; ++i) {
      if (distinct_[i]->knows(writer, epoch)) return true;
    }
    return false;
  }

 private:
  Warp& warp_;
  LaneMask lanes_;
  std::array<const VectorClock*, warp_size> distinct_{};
  unsigned count_ = 0;
  const VectorClock* last_ = nullptr;
};

// What happens before the fence, in causality order, becomes visible to the async proxy.
const Operation* proxy_fence(Warp& warp, const Operation& op, LaneMask lanes) {
  const KnownWrites known(warp, lanes);
  Cluster& cluster = warp.cta().cluster;
  for (const auto& cta : cluster.ctas) cta->shared.make_visible(known);
  if (Observer* const observer = cluster.observer(); observer != nullptr) {
    observer->fences({warp.id(), op.site, lanes});
  }
  return &op + 1;
}

// Memory is sequentially consistent here, and only proxies have views of their own: other fences
// order what is in order already.
const Operation* fence(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}

// fence.proxy.tensormap::generic.acquire.scope [map], 128;
const Operation* acquire_map(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& map = *static_cast<const MemoryAccess*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.cta().cluster.launch.map_changes->acquire(address_of(warp, map, lane),
                                                   warp.cta().number());
  }
  return &op + 1;
}

void decode_fence(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  op.execute = fence;
  // Who orders memory for the whole GPU talks to other CTAs, if only by plain loads and stores.
  for (const std::string_view scope : {"gpu", "sys", "gl"}) {
    if (has_modifier(instruction, scope)) decoder.program().is_ordered = true;
  }
  if (!has_modifier(instruction, "proxy")) return;
  for (const std::string_view part : instruction.parts) {
    if (part == "async" || part == "async::generic") op.execute = proxy_fence;
  }
  if (!has_modifier(instruction, "tensormap::generic") || !has_modifier(instruction, "acquire")) {
    return;
  }
  if (instruction.operands.size() != 2) Decoder::refuse("needs a tensor map and its size");
  MemoryAccess map;
  map.address = decoder.memory(instruction.operands[0]);
  op.detail = decoder.program().keep(map);
  op.execute = acquire_map;
}

constexpr Definition table[] = {
    {"bar barrier", decode_barrier},
    {"fence membar", decode_fence},
};

}  // namespace

std::span<const Definition> synchronisation_definitions() {
  return table;
}

}  // namespace tmaemu
