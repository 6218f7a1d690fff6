// PTX ISA, clusters: barrier.cluster, mapa, getctarank.
#include "emulator/sched/cluster.h"

#include <bit>

#include "emulator/isa/address.h"

namespace tmaemu {
namespace {

const Operation* arrive(Warp& warp, const Operation& op, LaneMask lanes) {
  Cluster& cluster = warp.cta().cluster;
  warp.set_cluster_generation(lanes, cluster.cluster_generation);
  cluster.arrive_cluster_barrier(static_cast<unsigned>(std::popcount(lanes)));
  return &op + 1;
}

const Operation* wait(Warp& warp, const Operation& op, LaneMask lanes) {
  const u64 generation = warp.cluster_generation(lanes);
  warp.tell_wait({BarrierId::Kind::cluster, 0}, lanes);
  if (warp.cta().cluster.cluster_generation > generation) return &op + 1;
  return warp.block(op, lanes, {Wait::Kind::cluster_barrier, 0, 0, generation}, &op + 1);
}

void decode_barrier(Decoder&, const ptx::Instruction& instruction, Operation& op,
                    const Definition&) {
  if (has_modifier(instruction, "arrive")) {
    op.execute = arrive;
  } else if (has_modifier(instruction, "wait")) {
    op.execute = wait;
  } else {
    Decoder::refuse("is neither an arrive nor a wait");
  }
}

// The address that the same variable has in the CTA of another rank.
template <class T, bool is_generic>
const Operation* map_address(Warp& warp, const Operation& op, LaneMask lanes) {
  const u64 window = is_generic ? shared_window : 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto shared = static_cast<u32>(warp.lanes<T>(op.a)[lane] - window);
    const u32 rank = warp.lanes<u32>(op.b)[lane];
    if (rank >= warp.cta().cluster.ctas.size()) {
      warp.fault(op, lane, Sentence::mapa_rank, {rank, warp.cta().cluster.ctas.size()});
    }
    warp.lanes<T>(op.d)[lane] =
        static_cast<T>(window + (rank << cta_rank_shift | shared_offset(shared)));
  }
  return &op + 1;
}

void require_address_bytes(unsigned bytes) {
  if (bytes != 4 && bytes != 8) Decoder::refuse("has a type that is no address's");
}

void decode_mapa(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (instruction.operands.size() != 3) Decoder::refuse("needs three operands");
  const auto bytes = static_cast<unsigned>(ptx::size_of(type_of(instruction)));
  require_address_bytes(bytes);
  const bool is_generic = space_of(instruction) == AddressSpace::generic;
  op.d = decoder.destination(instruction.operands[0], bytes);
  op.a = decoder.source(instruction.operands[1], bytes);
  op.b = decoder.source(instruction.operands[2], 4);
  if (bytes == 8) {
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

void decode_getctarank(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                       const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs two operands");
  const auto bytes = static_cast<unsigned>(ptx::size_of(type_of(instruction)));
  require_address_bytes(bytes);
  op.d = decoder.destination(instruction.operands[0], 4);
  op.a = decoder.source(instruction.operands[1], bytes);
  op.execute = bytes == 8 ? rank_of_address<u64> : rank_of_address<u32>;
}

constexpr Definition table[] = {
    {"barrier.cluster", decode_barrier},
    {"mapa", decode_mapa},
    {"getctarank", decode_getctarank},
};

}  // namespace

std::span<const Definition> cluster_definitions() {
  return table;
}

}  // namespace tmaemu
