// PTX ISA, "Parallel Synchronization and Communication Instructions": atom and red.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "emulator/isa/modifiers.h"
#include "emulator/isa/warp_access.h"
#include "emulator/numeric/extremum.h"
#include "emulator/numeric/sum.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// atom d, [a], b{, c} and red [a], b. `detail` of the operations here. The elements of a vector are
// atomic one by one.
struct AtomicAccess {
  struct Element {
    Slot d = 0, b = 0, c = 0;
  };
  MemoryAccess address;
  std::array<Element, 8> elements{};
  unsigned count = 1;
  bool has_result = false;
};

// Whether what the lane would do leaves the elements at `memory` as they are.
template <class T, auto combine>
bool leaves(Warp& warp, const Operation& op, unsigned lane, const std::byte* memory) {
  const auto& access = *static_cast<const AtomicAccess*>(op.detail);
  for (unsigned i = 0; i < access.count; ++i) {
    const AtomicAccess::Element& slots = access.elements[i];
    T old;
    std::memcpy(&old, memory + i * sizeof(T), sizeof old);
    const T value = combine(old, warp.lanes<T>(slots.b)[lane], warp.lanes<T>(slots.c)[lane]);
    if (std::memcmp(&old, &value, sizeof old) != 0) return false;
  }
  return true;
}

// Lanes one after another: the order among threads is free, and this one is the same in every run.
// combine(old, b, c) gives the new value, combine_global that in global memory.
template <class T, auto combine, auto combine_global = combine>
const Operation* atomic(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& access = *static_cast<const AtomicAccess*>(op.detail);
  const unsigned bytes = access.count * static_cast<unsigned>(sizeof(T));
  const WarpAccess accessed(
      warp, op, access.address, lanes,
      {.kind = events::Access::Kind::atomic, .bytes = bytes, .leaves = leaves<T, combine>});
  Warp::Flags flags(op);
  bool changes_memory = false;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = accessed.place(lane, true);
    for (unsigned i = 0; i < access.count; ++i) {
      const AtomicAccess::Element& slots = access.elements[i];
      std::byte* const target = place.bytes + i * sizeof(T);
      T old;
      std::memcpy(&old, target, sizeof old);
      const T b = warp.lanes<T>(slots.b)[lane];
      const T c = warp.lanes<T>(slots.c)[lane];
      const T value = place.shared_of == nullptr ? combine_global(old, b, c) : combine(old, b, c);
      std::memcpy(target, &value, sizeof value);
      if (access.has_result) warp.lanes<T>(slots.d)[lane] = old;
      changes_memory = changes_memory || std::memcmp(&old, &value, sizeof old) != 0;
      u64 flag = 0;
      std::memcpy(&flag, &old, std::min(sizeof flag, sizeof old));
      flags.add(lane, accessed.address(lane), flag);
    }
    if (place.shared_of == nullptr) continue;
    Cluster& cluster = place.shared_of->cluster;
    cluster.observe_flag(*place.shared_of, place.shared_offset, warp.thread(lane));
    place.shared_of->shared.note_write(place.shared_offset, bytes, warp.thread(lane),
                                       cluster.causality().now());
    cluster.publish_flag(*place.shared_of, place.shared_offset, warp.thread(lane));
  }
  // A lock that is taken: only others can change it.
  if (!changes_memory) warp.loaded_flags(flags);
  return &op + 1;
}

template <class T>
Handler bitwise_handler(std::string_view operation) {
  if (operation == "and") return atomic<T, [](T old, T b, T) -> T { return old & b; }>;
  if (operation == "or") return atomic<T, [](T old, T b, T) -> T { return old | b; }>;
  if (operation == "xor") return atomic<T, [](T old, T b, T) -> T { return old ^ b; }>;
  if (operation == "exch") return atomic<T, [](T, T b, T) -> T { return b; }>;
  if (operation == "cas") return atomic<T, [](T old, T b, T c) -> T { return old == b ? c : old; }>;
  return nullptr;
}

template <class T>
Handler integer_handler(std::string_view operation) {
  using U = std::make_unsigned_t<T>;
  if (operation == "add") {
    return atomic<T, [](T old, T b, T) -> T {
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    }>;
  }
  if (operation == "min") return atomic<T, [](T old, T b, T) -> T { return b < old ? b : old; }>;
  if (operation == "max") return atomic<T, [](T old, T b, T) -> T { return old < b ? b : old; }>;
  if (operation == "inc") {
    return atomic<T, [](T old, T b, T) -> T { return b <= old ? T{0} : static_cast<T>(old + 1); }>;
  }
  if (operation == "dec") {
    return atomic<T, [](T old, T b, T) -> T {
      return old == 0 || b < old ? b : static_cast<T>(old - 1);
    }>;
  }
  return bitwise_handler<T>(operation);
}

template <class T>
Handler half_handler(std::string_view operation) {
  if (operation == "add") return atomic<T, [](T old, T b, T) -> T { return sum(old, b); }>;
  if (operation == "min")
    return atomic<T,
                  [](T old, T b, T) { return extremum<ExtremumForm{Extremum::minimum}>(old, b); }>;
  if (operation == "max")
    return atomic<T,
                  [](T old, T b, T) { return extremum<ExtremumForm{Extremum::maximum}>(old, b); }>;
  return nullptr;
}

struct Bytes16 {
  u64 low, high;
  bool operator==(const Bytes16&) const = default;
};

Handler handler_of(std::string_view operation, ptx::Type type) {
  switch (type) {
    case ptx::Type::b16:
      return bitwise_handler<u16>(operation);
    case ptx::Type::b32:
    case ptx::Type::u32:
      return integer_handler<u32>(operation);
    case ptx::Type::s32:
      return integer_handler<s32>(operation);
    case ptx::Type::b64:
    case ptx::Type::u64:
      return integer_handler<u64>(operation);
    case ptx::Type::s64:
      return integer_handler<s64>(operation);
    case ptx::Type::b128:
      if (operation == "exch")
        return atomic<Bytes16, [](Bytes16, Bytes16 b, Bytes16) { return b; }>;
      if (operation == "cas") {
        return atomic<Bytes16,
                      [](Bytes16 old, Bytes16 b, Bytes16 c) { return old == b ? c : old; }>;
      }
      return nullptr;
    case ptx::Type::f32:
      if (operation != "add") return nullptr;
      // PTX ISA, "atom": only f32 in global memory flushes subnormals.
      return atomic<f32, [](f32 old, f32 b, f32) { return sum(old, b); },
                    [](f32 old, f32 b, f32) { return flushing_sum(old, b); }>;
    case ptx::Type::f64:
      if (operation != "add") return nullptr;
      // Global memory adds as the TMA engine does, which shows in the NaN that comes out. In shared
      // memory an addition of the SM's own is repeated until nothing else has come between.
      return atomic<f64, [](f64 old, f64 b, f64) { return sum(old, b); },
                    [](f64 old, f64 b, f64) {
                      return std::bit_cast<f64>(
                          sum_in_memory(std::bit_cast<u64>(old), std::bit_cast<u64>(b)));
                    }>;
    case ptx::Type::f16:
      return half_handler<f16>(operation);
    case ptx::Type::bf16:
      return half_handler<bf16>(operation);
    case ptx::Type::f16x2:
      return half_handler<Pair<f16>>(operation);
    case ptx::Type::bf16x2:
      return half_handler<Pair<bf16>>(operation);
    default:
      return nullptr;
  }
}

// Which combinations of operation, type and vector there are. PTX ISA, "atom", "red".
void check_form(std::string_view operation, ptx::Type type, unsigned width) {
  using ptx::Type;
  const bool is_half = type == Type::f16 || type == Type::bf16;
  const bool is_half_pair = type == Type::f16x2 || type == Type::bf16x2;
  const bool is_bits =
      type == Type::b16 || type == Type::b32 || type == Type::b64 || type == Type::b128;
  const bool is_signed = type == Type::s32 || type == Type::s64;
  const bool is_vector = width > 1;
  bool exists = true;
  if (is_half || is_half_pair) exists = is_vector ? width <= (is_half ? 8 : 4) : operation == "add";
  if (is_vector && type == Type::f32) exists = width <= 4;
  if (is_vector && !is_half && !is_half_pair && type != Type::f32) exists = false;
  const bool is_exchange = operation == "exch" || operation == "cas";
  if (is_exchange || operation == "and" || operation == "or" || operation == "xor") {
    exists = is_bits;
  } else if (is_bits) {
    exists = false;
  }
  if (operation == "inc" || operation == "dec") exists = type == Type::u32;
  if (operation == "add" && type == Type::s64) exists = false;
  if (is_signed && operation != "add" && operation != "min" && operation != "max") exists = false;
  if (!exists) refuse("is no form that PTX has");
}

// {.sem}{.scope}: one may be there without the other.
MemoryOrder take_atomic_order(Instruction& instruction, bool is_red) {
  static constexpr Choice<Semantics> of_red[] = {{"relaxed", Semantics::relaxed},
                                                 {"release", Semantics::release}};
  static constexpr Choice<Semantics> of_atom[] = {{"relaxed", Semantics::relaxed},
                                                  {"acquire", Semantics::acquire},
                                                  {"release", Semantics::release},
                                                  {"acq_rel", Semantics::acquire_release}};
  const auto semantics =
      is_red ? instruction.take_one_of(of_red) : instruction.take_one_of(of_atom);
  const auto scope = take_optional_scope(instruction);
  return {semantics.value_or(Semantics::relaxed), scope.value_or(Scope::gpu)};
}

// Half precision names that it does not flush; no other type does.
void take_flushing(Instruction& instruction, ptx::Type type) {
  using ptx::Type;
  const bool is_half =
      type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2;
  if (is_half) instruction.require("noftz");
}

// The i-th element of an operand; the same one of all where each lane has one.
const ptx::Operand& element(const ptx::Operand& operand, unsigned i, unsigned count) {
  const auto elements = elements_of(operand);
  if (elements.size() != count) refuse("has a vector of an unexpected length");
  return elements[i];
}

// atom{.sem}{.scope}{.space}.op{.noftz}{.L2::cache_hint}{.vec}.type d, [a], b {, c} {, policy} and
// red..., without d.
template <bool is_red>
void decode_atomic(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  AtomicAccess access;
  const ptx::Type type = instruction.take_type();
  const auto bytes = static_cast<unsigned>(ptx::size_of(type));
  access.count = take_vector_width(instruction);
  const std::string_view operation =
      is_red ? instruction.require_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"},
                                          "operation")
             : instruction.require_one_of(
                   {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"},
                   "operation");
  check_form(operation, type, access.count);
  op.execute = handler_of(operation, type);
  if (op.execute == nullptr) refuse("is not modeled by the emulator");
  access.address.order = take_atomic_order(instruction, is_red);
  access.address.element_bytes = bytes;
  take_flushing(instruction, type);
  const bool compares = operation == "cas";
  access.address.space = instruction.take("global") ? AddressSpace::global
                         : access.count > 1         ? AddressSpace::generic
                                                    : take_shared_space(instruction);
  const bool is_shared = access.address.space == AddressSpace::shared ||
                         access.address.space == AddressSpace::shared_cluster;
  if (!compares && !is_shared) take_cache_policy(decoder, instruction);
  constexpr std::size_t first = is_red ? 0 : 1;
  instruction.expect_operands(first + (compares ? 3 : 2));
  decoder.memory(instruction.operand(first), Effects::Memory::atomic, access.address);
  decoder.effects().is_exchange = operation == "exch";
  access.has_result = !is_red && instruction.operand(0).kind != ptx::Operand::Kind::sink;
  for (unsigned i = 0; i < access.count; ++i) {
    AtomicAccess::Element& slots = access.elements[i];
    if (access.has_result) {
      slots.d = decoder.destination(element(instruction.operand(0), i, access.count), bytes);
    }
    slots.b = decoder.source(element(instruction.operand(first + 1), i, access.count), bytes);
    slots.c = compares ? decoder.source(instruction.operand(first + 2), bytes) : slots.b;
  }
  if (access.address.space != AddressSpace::shared) decoder.program().is_ordered = true;
  op.detail = decoder.program().keep(access);
}

constexpr Definition table[] = {
    {"atom", decode_atomic<false>},
    {"red", decode_atomic<true>},
};

}  // namespace

std::span<const Definition> atomic_definitions() {
  return table;
}

}  // namespace tmaemu
