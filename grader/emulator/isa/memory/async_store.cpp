// PTX ISA, "st.async" and "red.async": stores and reductions to shared memory of the cluster that
// complete on an mbarrier there.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "contract/findings/sentences.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/warp_access.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// What red.async does with an element that is there and one that comes.
using Combine = void (*)(std::byte* target, const std::byte* value);

struct AsyncStoreForm {
  MemoryAccess target;
  MemoryAccess mbarrier;
  std::array<Slot, 4> values{};
  unsigned count = 1;
  unsigned element_bytes = 0;
  Combine combine = nullptr;  // null: st.async
};

const Operation* store(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const AsyncStoreForm*>(op.detail);
  const unsigned bytes = form.count * form.element_bytes;
  using Kind = events::Access::Kind;
  const Kind kind = form.combine == nullptr ? Kind::store : Kind::atomic;
  const WarpAccess accessed(warp, op, form.target, lanes,
                            {kind, bytes, AccessForm::Done::with_phase});
  // Measured on an H200.
  if (!warp.cta().cluster.launch.request->explicit_cluster) {
    warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)),
               Sentence::async_store_without_cluster,
               {form.combine == nullptr ? "st.async" : "red.async"});
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = accessed.place(lane);
    std::array<std::byte, 16> value;
    for (unsigned i = 0; i < form.count; ++i) {
      std::memcpy(value.data() + i * form.element_bytes,
                  warp.lanes<std::byte>(form.values[i]) + lane * form.element_bytes,
                  form.element_bytes);
    }
    AsyncStore store;
    store.mbarrier = shared_address(warp, op, lane, form.mbarrier, sizeof(u64),
                                    {"the mbarrier of an asynchronous store"});
    if (place.shared_of == nullptr || shared_rank(store.mbarrier) != place.shared_of->rank) {
      warp.fault(op, lane, Sentence::async_store_mbarrier_apart);
    }
    store.write = [place, value, bytes, combine = form.combine] {
      std::array<std::byte, 16> result = value;
      if (combine != nullptr) {
        std::memcpy(result.data(), place.bytes, bytes);
        combine(result.data(), value.data());
      }
      place.shared_of->shared.write_async(place.shared_offset, {result.data(), bytes});
    };
    store.bytes = bytes;
    store.thread = warp.thread(lane);
    store.site = op.site;
    if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
      const std::uint32_t target = place.shared_of->rank << cta_rank_shift | place.shared_offset;
      observer->stores_asynchronously(
          {store.thread, op.site, target, bytes, store.mbarrier, form.combine != nullptr});
    }
    warp.cta().cluster.copies.issue(std::move(store));
  }
  return &op + 1;
}

template <class T, auto function>
void combine(std::byte* target, const std::byte* value) {
  T a, b;
  std::memcpy(&a, target, sizeof a);
  std::memcpy(&b, value, sizeof b);
  a = function(a, b);
  std::memcpy(target, &a, sizeof a);
}

Combine combine_of(std::string_view operation, ptx::Type type) {
  using ptx::Type;
  if (type == Type::u64 || type == Type::s64) {
    if (operation == "add") return combine<u64, [](u64 a, u64 b) { return a + b; }>;
    return nullptr;
  }
  if (type == Type::s32) {
    if (operation == "min") return combine<s32, [](s32 a, s32 b) { return std::min(a, b); }>;
    if (operation == "max") return combine<s32, [](s32 a, s32 b) { return std::max(a, b); }>;
  } else if (type == Type::u32) {
    if (operation == "min") return combine<u32, [](u32 a, u32 b) { return std::min(a, b); }>;
    if (operation == "max") return combine<u32, [](u32 a, u32 b) { return std::max(a, b); }>;
    if (operation == "inc") return combine<u32, [](u32 a, u32 b) { return b <= a ? 0 : a + 1; }>;
    if (operation == "dec") {
      return combine<u32, [](u32 a, u32 b) { return a == 0 || b < a ? b : a - 1; }>;
    }
  } else if (type == Type::b32) {
    if (operation == "and") return combine<u32, [](u32 a, u32 b) { return a & b; }>;
    if (operation == "or") return combine<u32, [](u32 a, u32 b) { return a | b; }>;
    if (operation == "xor") return combine<u32, [](u32 a, u32 b) { return a ^ b; }>;
    return nullptr;
  }
  if (operation == "add" && (type == Type::u32 || type == Type::s32)) {
    return combine<u32, [](u32 a, u32 b) { return a + b; }>;
  }
  return nullptr;
}

// What st.async and red.async have alike: [a], b, [mbar].
void decode_operands(Decoder& decoder, const Instruction& instruction, AsyncStoreForm& form) {
  instruction.expect_operands(3);
  const auto values = elements_of(instruction.operand(1));
  const bool has_size = form.element_bytes == 4 || form.element_bytes == 8;
  if (values.size() != form.count || !has_size || form.count * form.element_bytes > 16) {
    refuse("stores a value that it cannot");
  }
  for (unsigned i = 0; i < form.count; ++i) {
    form.values[i] = decoder.source(values[i], form.element_bytes);
  }
  const bool combines = form.combine != nullptr;
  decoder.memory(instruction.operand(0),
                 combines ? Effects::Memory::atomic : Effects::Memory::store, form.target);
  decoder.effects().space = Effects::Space::shared;  // a generic address, too, is one of these
  form.mbarrier.address = decoder.memory(instruction.operand(2));
}

void keep(Decoder& decoder, Operation& op, const AsyncStoreForm& form) {
  op.detail = decoder.program().keep(form);
  op.execute = store;
}

// st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [mbar]
void decode_store(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  AsyncStoreForm form;
  form.element_bytes = static_cast<unsigned>(ptx::size_of(instruction.take_type()));
  form.count = take_vector_width(instruction);
  instruction.take("weak");  // what it is without
  instruction.require("mbarrier::complete_tx::bytes");
  form.target.space = space_of(instruction.take_one_of({"shared::cluster"}));
  decode_operands(decoder, instruction, form);
  keep(decoder, op, form);
}

// red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type [a], b, [mbar]
void decode_reduction(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  AsyncStoreForm form;
  const ptx::Type type = instruction.take_type();
  form.element_bytes = static_cast<unsigned>(ptx::size_of(type));
  const std::string_view operation = instruction.require_one_of(
      {"add", "min", "max", "inc", "dec", "and", "or", "xor"}, "operation");
  form.combine = combine_of(operation, type);
  if (form.combine == nullptr) refuse("is no reduction of the hardware");
  instruction.require("relaxed");
  instruction.require("cluster");
  instruction.require("mbarrier::complete_tx::bytes");
  form.target.space = space_of(instruction.take_one_of({"shared::cluster"}));
  decode_operands(decoder, instruction, form);
  keep(decoder, op, form);
}

constexpr Definition table[] = {
    {"st.async", decode_store},
    {"red.async", decode_reduction},
};

}  // namespace

std::span<const Definition> async_store_definitions() {
  return table;
}

}  // namespace tmaemu
