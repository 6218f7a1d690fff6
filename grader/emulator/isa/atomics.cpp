// PTX ISA, "Parallel Synchronization and Communication Instructions": atom and red.
#include <bit>
#include <cstring>

#include "emulator/isa/address.h"
#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

// atom d, [a], b{, c} and red [a], b. `detail` of the operations here.
struct AtomicAccess {
  MemoryAccess address;
  bool has_result = false;
};

const AtomicAccess& access_of(const Operation& op) {
  return *static_cast<const AtomicAccess*>(op.detail);
}

// Lanes one after another: the order among threads is free, and this one is the same in every run.
// combine(old, b, c) gives the new value.
template <class T, auto combine>
const Operation* atomic(Warp& warp, const Operation& op, LaneMask lanes) {
  const AtomicAccess& access = access_of(op);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = resolve(warp, op, lane, access.address.space,
                                address_of(warp, access.address, lane), sizeof(T), "atomic");
    T old;
    std::memcpy(&old, place.bytes, sizeof old);
    const T value = combine(old, warp.lanes<T>(op.b)[lane], warp.lanes<T>(op.c)[lane]);
    std::memcpy(place.bytes, &value, sizeof value);
    if (access.has_result) warp.lanes<T>(op.d)[lane] = old;
    if (place.shared_of == nullptr) continue;
    Cluster& cluster = place.shared_of->cluster;
    cluster.observe_flag(*place.shared_of, place.shared_offset, warp.thread(lane));
    place.shared_of->shared.note_write(place.shared_offset, sizeof(T), warp.thread(lane),
                                       cluster.causality.now(), op.site);
    cluster.publish_flag(*place.shared_of, place.shared_offset, warp.thread(lane));
  }
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
Handler floating_handler(std::string_view operation) {
  if (operation == "add") return atomic<T, [](T old, T b, T) -> T { return old + b; }>;
  return nullptr;
}

Handler handler_of(std::string_view operation, ptx::Type type) {
  switch (type) {
    case ptx::Type::b16: return bitwise_handler<u16>(operation);
    case ptx::Type::b32:
    case ptx::Type::u32: return integer_handler<u32>(operation);
    case ptx::Type::s32: return integer_handler<s32>(operation);
    case ptx::Type::b64:
    case ptx::Type::u64: return integer_handler<u64>(operation);
    case ptx::Type::s64: return integer_handler<s64>(operation);
    case ptx::Type::f32: return floating_handler<f32>(operation);
    case ptx::Type::f64: return floating_handler<f64>(operation);
    default: return nullptr;
  }
}

std::string_view operation_of(const ptx::Instruction& instruction) {
  for (const std::string_view name :
       {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}) {
    if (has_modifier(instruction, name)) return name;
  }
  Decoder::refuse("names no operation");
}

void decode_atomic(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                   const Definition&) {
  const bool is_red = instruction.parts[0] == "red";
  if (has_modifier(instruction, "async")) Decoder::refuse("is not modelled by the emulator");
  const std::size_t first = is_red ? 0 : 1;
  if (instruction.operands.size() < first + 2) Decoder::refuse("needs an address and a value");
  const ptx::Type type = type_of(instruction);
  const auto bytes = static_cast<unsigned>(ptx::size_of(type));
  op.execute = handler_of(operation_of(instruction), type);
  if (op.execute == nullptr) Decoder::refuse("is not modelled by the emulator");
  AtomicAccess access;
  access.address.address = decoder.memory(instruction.operands[first]);
  access.address.space = space_of(instruction);
  if (!is_red && instruction.operands[0].kind != ptx::Operand::Kind::sink) {
    op.d = decoder.destination(instruction.operands[0], bytes);
    access.has_result = true;
  }
  op.b = decoder.source(instruction.operands[first + 1], bytes);
  op.c = instruction.operands.size() > first + 2 && bytes >= 2 &&
                 has_modifier(instruction, "cas")
             ? decoder.source(instruction.operands[first + 2], bytes)
             : op.b;
  if (access.address.space != AddressSpace::shared) decoder.program().is_ordered = true;
  op.detail = decoder.program().keep(access);
}

constexpr Definition table[] = {
    {"atom red", decode_atomic},
};

}  // namespace

std::span<const Definition> atomic_definitions() { return table; }

}  // namespace tmaemu
