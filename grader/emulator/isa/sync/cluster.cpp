// PTX ISA, clusters: barrier.cluster, mapa, getctarank.
#include "emulator/sched/cluster.h"

#include <bit>

#include "emulator/isa/address.h"
#include "emulator/isa/sync/convergence.h"

namespace tmaemu {
namespace {

// Without .aligned lanes may come from different places.
template <bool is_aligned>
Wait for_other_lanes(const Operation& op) {
  return {Wait::Kind::whole_warp, is_aligned ? op.site : 0, 0, all_lanes, op.execute};
}

void arrive_with(Warp& warp, const Arrival& arrival) {
  Cluster& cluster = warp.cta().cluster;
  warp.set_cluster_generation(arrival.lanes, cluster.cluster_generation);
  if (Observer* const observer = cluster.observer(); observer != nullptr) {
    const auto semantics = arrival.op->immediate != 0 ? Semantics::relaxed : Semantics::release;
    observer->arrives_at_barrier({{BarrierId::Kind::cluster, 0},
                                  warp.id(),
                                  arrival.lanes,
                                  arrival.op->site,
                                  0,
                                  false,
                                  true,
                                  {semantics, Scope::cluster}});
  }
  cluster.arrive_cluster_barrier(static_cast<unsigned>(std::popcount(arrival.lanes)));
}

template <bool is_aligned>
const Operation* arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto arrive_together = [&](Arrivals arrivals) {
    for (const Arrival& arrival : arrivals) arrive_with(warp, arrival);
    return resume(warp, arrivals, {});
  };
  return execute_together(warp, op, lanes, for_other_lanes<is_aligned>(op), arrive_together);
}

template <bool is_aligned>
const Operation* wait(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto wait_together = [&](Arrivals arrivals) {
    for (const Arrival& arrival : arrivals) {
      warp.tell_wait(*arrival.op, {BarrierId::Kind::cluster, 0}, arrival.lanes);
    }
    const u64 generation = warp.cluster_generation(lanes);
    if (warp.cta().cluster.cluster_generation > generation) return resume(warp, arrivals, {});
    return resume(warp, arrivals, {Wait::Kind::cluster_barrier, 0, 0, generation});
  };
  return execute_together(warp, op, lanes, for_other_lanes<is_aligned>(op), wait_together);
}

// barrier.cluster.arrive{.release,.relaxed}{.aligned}. Neither orders less than .release here.
void decode_arrive(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  op.immediate = instruction.take_one_of({"release", "relaxed"}) == "relaxed" ? 1 : 0;
  op.execute = instruction.take("aligned") ? arrive<true> : arrive<false>;
  instruction.expect_operands(0);
}

// barrier.cluster.wait{.acquire}{.aligned}
void decode_wait(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.take("acquire");
  op.execute = instruction.take("aligned") ? wait<true> : wait<false>;
  instruction.expect_operands(0);
}

constexpr u32 rank_mask = 0xFF;  // the hardware looks at no more of a rank (measured on an H200)

// The address that the same variable has in the CTA of another rank. A rank that no CTA has makes
// an address that no CTA has: compilers compute it before they test the rank. Who uses it is told.
template <class T, bool is_generic>
const Operation* map_address(Warp& warp, const Operation& op, LaneMask lanes) {
  const u64 window = is_generic ? shared_window : 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto shared = static_cast<u32>(warp.lanes<T>(op.a)[lane] - window);
    const u32 rank = warp.lanes<u32>(op.b)[lane] & rank_mask;
    warp.lanes<T>(op.d)[lane] =
        static_cast<T>(window + (rank << cta_rank_shift | shared_offset(shared)));
  }
  return &op + 1;
}

// mapa{.shared::cluster}.type d, a, rank
void decode_mapa(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool is_generic = !instruction.take("shared::cluster");
  const bool is_wide = instruction.require_one_of({"u32", "u64"}, "type") == "u64";
  const unsigned bytes = is_wide ? 8 : 4;
  instruction.expect_operands(3);
  decoder.effects().computation = Computation::copy;  // the same variable, of another CTA
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.a = decoder.source(instruction.operand(1), bytes);
  op.b = decoder.source(instruction.operand(2), 4);
  if (is_wide) {
    op.execute = is_generic ? map_address<u64, true> : map_address<u64, false>;
  } else {
    op.execute = map_address<u32, false>;
  }
}

template <class T>
const Operation* rank_of_address(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.lanes<u32>(op.d)[lane] = shared_rank(static_cast<u32>(warp.lanes<T>(op.a)[lane]));
  }
  return &op + 1;
}

// getctarank{.shared::cluster}.type d, a: the rank stands at the same place in either address.
void decode_getctarank(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition&) {
  instruction.take("shared::cluster");
  const bool is_wide = instruction.require_one_of({"u32", "u64"}, "type") == "u64";
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), is_wide ? 8 : 4);
  op.execute = is_wide ? rank_of_address<u64> : rank_of_address<u32>;
}

constexpr Definition table[] = {
    {"barrier.cluster.arrive", decode_arrive},
    {"barrier.cluster.wait", decode_wait},
    {"mapa", decode_mapa},
    {"getctarank", decode_getctarank},
};

}  // namespace

std::span<const Definition> cluster_definitions() {
  return table;
}

}  // namespace tmaemu
