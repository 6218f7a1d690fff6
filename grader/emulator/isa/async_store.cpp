// PTX ISA, "st.async" and "red.async": stores and reductions to shared memory of the cluster that
// complete on an mbarrier there.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
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
  // Measured on an H200.
  if (!warp.cta().cluster.launch.request->explicit_cluster) {
    warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)),
               Sentence::async_store_without_cluster,
               {form.combine == nullptr ? "st.async" : "red.async"});
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = resolve(warp, op, lane, form.target.space,
                                address_of(warp, form.target, lane), bytes, AccessKind::store);
    std::array<std::byte, 16> value;
    for (unsigned i = 0; i < form.count; ++i) {
      std::memcpy(value.data() + i * form.element_bytes,
                  warp.lanes<std::byte>(form.values[i]) + lane * form.element_bytes,
                  form.element_bytes);
    }
    AsyncStore store;
    store.mbarrier = shared_address(warp, op, lane, address_of(warp, form.mbarrier, lane),
                                    sizeof(u64), "the mbarrier of an asynchronous store");
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
  if (type == Type::u64) {
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

// st.async{.weak}.mbarrier::complete_tx::bytes{.shared::cluster}{.vec}.type [a], b, [mbar];
// red.async.relaxed.cluster.op.mbarrier::complete_tx::bytes{.shared::cluster}.type [a], b, [mbar];
void decode_async_store(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                        const Definition&) {
  const bool reduces = instruction.parts.front() == "red";
  Modifiers modifiers(instruction);
  const ptx::Type type = modifiers.take_type();
  modifiers.take("async");
  if (!modifiers.take("mbarrier::complete_tx::bytes")) {
    Decoder::refuse("without an mbarrier is not for sm_90");
  }
  for (const std::string_view name : {"weak", "relaxed", "cluster", "shared::cluster"}) {
    modifiers.take(name);
  }
  AsyncStoreForm form;
  const unsigned vector = modifiers.take("v2") ? 2 : modifiers.take("v4") ? 4 : 1;
  if (reduces) {
    form.combine = combine_of(modifiers.take_next(), type);
    if (form.combine == nullptr || vector != 1) Decoder::refuse("is no reduction of the hardware");
  }
  modifiers.finish();
  expect_operands(instruction, 3);
  const ptx::Operand& value = instruction.operands[1];
  const bool is_vector = value.kind == ptx::Operand::Kind::vector;
  form.element_bytes = static_cast<unsigned>(ptx::size_of(type));
  form.count = is_vector ? static_cast<unsigned>(value.elements.size()) : 1;
  const bool has_size = form.element_bytes == 4 || form.element_bytes == 8;
  if (form.count != vector || !has_size || form.count * form.element_bytes > 16) {
    Decoder::refuse("stores a value that it cannot");
  }
  for (unsigned i = 0; i < form.count; ++i) {
    form.values[i] = decoder.source(is_vector ? value.elements[i] : value, form.element_bytes);
  }
  form.target.space = space_of(instruction);
  form.target.address = decoder.memory(instruction.operands[0]);
  form.mbarrier.address = decoder.memory(instruction.operands[2]);
  op.detail = decoder.program().keep(form);
  op.execute = store;
  using Kind = Access::Kind;
  decoder.note_access(
      {reduces ? Kind::atomic : Kind::store, form.target, {}, form.count * form.element_bytes});
}

constexpr Definition table[] = {
    {"st.async red.async", decode_async_store},
};

}  // namespace

std::span<const Definition> async_store_definitions() {
  return table;
}

}  // namespace tmaemu
