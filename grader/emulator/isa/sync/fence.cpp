// PTX ISA, "Parallel Synchronization and Communication": fence and membar.
#include <array>
#include <bit>

#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/sched/cluster.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu {
namespace {

// Whether any of the lanes knows of a write: its own, or one that a synchronization told it of.
class KnownWrites {
 public:
  KnownWrites(Warp& warp, LaneMask lanes) : warp_(warp), lanes_(lanes) {
    const Causality& causality = warp.cta().cluster.causality();
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const VectorClock* clock = &causality.clock(warp.thread(lane));
      if (clock != last_) distinct_[count_++] = last_ = clock;
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

// What observers are told of a fence; Operation::detail of those that they are told of.
struct FenceForm {
  events::Fence::Kind kind = events::Fence::Kind::memory;
  MemoryOrder order = {};
  bool is_sequential = false;
};

void tell_fence(Warp& warp, const Operation& op, LaneMask lanes) {
  Observer* const observer = warp.cta().cluster.observer();
  if (observer == nullptr) return;
  const auto& form = *static_cast<const FenceForm*>(op.detail);
  observer->fences({warp.id(), op.site, lanes, form.kind, form.order, form.is_sequential});
}

void keep(Decoder& decoder, Operation& op, Handler execute, const FenceForm& form) {
  op.execute = execute;
  op.detail = decoder.program().keep(form);
}

// What happens before the fence, in causality order, becomes visible to the async proxy: in the
// shared memory of the whole cluster, or of the CTA alone. Global memory has one view only.
template <bool whole_cluster>
const Operation* proxy_fence(Warp& warp, const Operation& op, LaneMask lanes) {
  const KnownWrites known(warp, lanes);
  Cluster& cluster = warp.cta().cluster;
  if constexpr (whole_cluster) {
    for (const auto& cta : cluster.ctas) cta->shared.make_visible(known);
  } else {
    warp.cta().shared.make_visible(known);
  }
  tell_fence(warp, op, lanes);
  return &op + 1;
}

// Memory is sequentially consistent here, and only proxies have views of their own: other fences
// order what is in order already.
const Operation* fence(Warp& warp, const Operation& op, LaneMask lanes) {
  if (op.detail != nullptr) tell_fence(warp, op, lanes);
  return &op + 1;
}

struct MapAcquire {
  MemoryAccess map;
  Scope scope = Scope::gpu;
};

const Operation* acquire_map(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& [map, scope] = *static_cast<const MapAcquire*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t address = address_of(warp, map, lane);
    warp.cta().cluster.launch.map_changes->acquire(address, warp.cta().number());
    if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
      observer->acquires_tensor_map({warp.thread(lane), op.site, address, scope});
    }
  }
  return &op + 1;
}

// Who orders memory for the whole GPU talks to other CTAs, if only by plain loads and stores.
Scope require_scope(Decoder& decoder, Instruction& instruction) {
  const Scope scope = take_scope(instruction);
  if (scope >= Scope::gpu) decoder.program().is_ordered = true;
  return scope;
}

using Kind = events::Fence::Kind;

constexpr Choice<Semantics> fence_semantics[] = {{"acq_rel", Semantics::acquire_release},
                                                 {"acquire", Semantics::acquire},
                                                 {"release", Semantics::release}};

// fence{.sem}.scope, and what orders less:
// fence.mbarrier_init.release.cluster
// fence.acquire.sync_restrict::shared::cluster.cluster
// fence.release.sync_restrict::shared::cta.cluster
void decode_fence(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  FenceForm form;
  const bool initializes = instruction.take("mbarrier_init");
  if (initializes || instruction.take("sync_restrict::shared::cta")) {
    instruction.require("release");
    instruction.require("cluster");
    form = {initializes ? Kind::mbarrier_init : Kind::memory, {Semantics::release, Scope::cluster}};
  } else if (instruction.take("sync_restrict::shared::cluster")) {
    instruction.require("acquire");
    instruction.require("cluster");
    form.order = {Semantics::acquire, Scope::cluster};
  } else {
    form.is_sequential = instruction.take("sc");
    form.order.semantics = Semantics::acquire_release;
    if (!form.is_sequential) {
      form.order.semantics =
          instruction.take_one_of(fence_semantics).value_or(Semantics::acquire_release);
    }
    form.order.scope = require_scope(decoder, instruction);
    decoder.effects().fences_system = form.order.scope == Scope::sys;
  }
  instruction.expect_operands(0);
  keep(decoder, op, fence, form);
}

// membar.{cta,gl,sys}, and membar.proxy.alias
void decode_membar(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  op.execute = fence;
  if (instruction.take("proxy")) {
    instruction.require("alias");
    instruction.expect_operands(0);
    return;
  }
  static constexpr Choice<Scope> levels[] = {
      {"cta", Scope::cta}, {"gl", Scope::gpu}, {"sys", Scope::sys}};
  const Scope scope = instruction.require_one_of(levels, "level");
  if (scope >= Scope::gpu) decoder.program().is_ordered = true;
  decoder.effects().fences_system = scope == Scope::sys;
  instruction.expect_operands(0);
  keep(decoder, op, fence, {Kind::memory, {Semantics::acquire_release, scope}, true});
}

// fence.proxy.alias: of the addresses of one place, none has a view of its own here.
void decode_alias_fence(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  op.execute = fence;
}

// fence.proxy.async{.space}
void decode_async_fence(Decoder& decoder, Instruction& instruction, Operation& op,
                        const Definition&) {
  struct Space {
    Handler execute;
    Kind kind;
    std::optional<Effects::Space> named;
  };
  static constexpr Choice<Space> spaces[] = {
      {"global", {fence, Kind::async_global, Effects::Space::global}},
      {"shared::cta", {proxy_fence<false>, Kind::async_own, Effects::Space::shared}},
      {"shared::cluster", {proxy_fence<true>, Kind::async_shared, Effects::Space::shared}}};
  const Space space =
      instruction.take_one_of(spaces).value_or(Space{proxy_fence<true>, Kind::async, {}});
  instruction.expect_operands(0);
  decoder.effects().fences_async = space.named;
  keep(decoder, op, space.execute, {space.kind});
}

// fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster and
// fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster: the writer's half does
// the work. On sm_90 it is what fence.proxy.async.shared::cta is, and the other half nothing.
void decode_one_way_fence(Decoder& decoder, Instruction& instruction, Operation& op,
                          const Definition&) {
  const bool releases =
      instruction.require_one_of({"release", "acquire"}, "semantics") == "release";
  instruction.require(releases ? "sync_restrict::shared::cta" : "sync_restrict::shared::cluster");
  instruction.require("cluster");
  instruction.expect_operands(0);
  if (releases) {
    keep(decoder, op, proxy_fence<false>, {Kind::async_own});
  } else {
    op.execute = fence;
  }
}

// fence.proxy.tensormap::generic.release.scope and
// fence.proxy.tensormap::generic.acquire.scope [map], 128: here the reader's half does the work.
void decode_map_fence(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  const bool acquires =
      instruction.require_one_of({"release", "acquire"}, "semantics") == "acquire";
  const Scope scope = require_scope(decoder, instruction);
  instruction.expect_operands(acquires ? 2 : 0);
  if (!acquires) {
    return keep(decoder, op, fence, {Kind::map_release, {Semantics::release, scope}});
  }
  op.execute = acquire_map;
  const ptx::Operand& size = instruction.operand(1);
  if (size.kind != ptx::Operand::Kind::integer || size.bits != tma::opaque_bytes) {
    refuse("has another size than 128");
  }
  MapAcquire acquire;
  acquire.map.address = decoder.memory(instruction.operand(0));
  acquire.scope = scope;
  op.detail = decoder.program().keep(acquire);
}

constexpr Definition table[] = {
    {"fence", decode_fence},
    {"membar", decode_membar},
    {"fence.proxy.alias", decode_alias_fence},
    {"fence.proxy.async", decode_async_fence},
    {"fence.proxy.async::generic", decode_one_way_fence},
    {"fence.proxy.tensormap::generic", decode_map_fence},
};

}  // namespace

std::span<const Definition> fence_definitions() {
  return table;
}

}  // namespace tmaemu
