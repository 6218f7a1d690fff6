// PTX ISA, "Data Movement and Conversion Instructions": mov, cvta, isspacep and what else moves
// values between registers and address spaces.

#include <bit>
#include <cstring>
#include <vector>

#include "emulator/isa/lanes.h"
#include "emulator/memory/address_space.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// Registers that change while a kernel runs. Time passes as fast as operations are executed, and is
// the same in every run: an SM's clock ticks about twice in a nanosecond, and each launch begins a
// second after the one before.
u64 clock_now(const Warp& warp) {
  return warp.clock();
}
u64 nanoseconds_now(const Warp& warp) {
  constexpr u64 second = 1'000'000'000;
  constexpr u64 first_launch = 1'700'000'000 * second;  // as if the kernel ran late in 2023
  return first_launch + warp.cta().cluster.launch.number * second +
         warp.clock() / clocks_per_nanosecond;
}

template <u64 (*time)(const Warp&)>
const Operation* read_clock32(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto now = static_cast<u32>(time(warp) >> op.immediate);
  for (; lanes != 0; lanes &= lanes - 1) warp.lanes<u32>(op.d)[std::countr_zero(lanes)] = now;
  return &op + 1;
}
template <u64 (*time)(const Warp&)>
const Operation* read_clock64(Warp& warp, const Operation& op, LaneMask lanes) {
  const u64 now = time(warp) >> op.immediate;
  for (; lanes != 0; lanes &= lanes - 1) warp.lanes<u64>(op.d)[std::countr_zero(lanes)] = now;
  return &op + 1;
}

// Composes a wide register from the elements of {a, b, ...}, or takes one apart. `detail` lists
// the elements' slots.
struct Parts {
  std::vector<Slot> slots;
  unsigned bytes;  // of each
};

const Operation* pack(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& parts = *static_cast<const Parts*>(op.detail);
  const std::size_t whole = parts.bytes * parts.slots.size();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    std::byte value[16];
    for (std::size_t i = 0; i < parts.slots.size(); ++i) {
      std::memcpy(value + i * parts.bytes,
                  warp.lanes<std::byte>(parts.slots[i]) + lane * parts.bytes, parts.bytes);
    }
    std::memcpy(warp.lanes<std::byte>(op.d) + lane * whole, value, whole);
  }
  return &op + 1;
}

const Operation* unpack(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& parts = *static_cast<const Parts*>(op.detail);
  const std::size_t whole = parts.bytes * parts.slots.size();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    std::byte value[16];
    std::memcpy(value, warp.lanes<std::byte>(op.a) + lane * whole, whole);
    for (std::size_t i = 0; i < parts.slots.size(); ++i) {
      std::memcpy(warp.lanes<std::byte>(parts.slots[i]) + lane * parts.bytes,
                  value + i * parts.bytes, parts.bytes);
    }
  }
  return &op + 1;
}

template <class T>
constexpr Definition move = lanewise<[](T a) -> T { return a; }>("");
constexpr Definition move_predicate = lanewise<[](bool a) -> bool { return a; }>("");

struct Wide {
  u64 low, high;
};

Handler move_handler(unsigned bytes) {
  switch (bytes) {
    case 0:
      return move_predicate.handler;
    case 2:
      return move<u16>.handler;
    case 4:
      return move<u32>.handler;
    case 8:
      return move<u64>.handler;
    case 16:
      return move<Wide>.handler;
    default:
      Decoder::refuse("moves values of an unexpected size");
  }
}

unsigned move_bytes(ptx::Type type) {
  return type == ptx::Type::pred ? 0 : static_cast<unsigned>(ptx::size_of(type));
}

bool is_clock(std::string_view name) {
  return name == "%clock" || name == "%clock64" || name == "%clock_hi" ||
         name.starts_with("%globaltimer");
}

void decode_clock(Decoder& decoder, const ptx::Instruction& instruction, Operation& op) {
  const std::string_view name = instruction.operands[1].name;
  const unsigned bytes = move_bytes(type_of(instruction));
  if (bytes != 4 && bytes != 8) Decoder::refuse("takes the time in another size");
  op.d = decoder.destination(instruction.operands[0], bytes);
  op.immediate = name == "%clock_hi" || name == "%globaltimer_hi" ? 32 : 0;
  if (name.starts_with("%globaltimer")) {
    op.execute = bytes == 8 ? read_clock64<nanoseconds_now> : read_clock32<nanoseconds_now>;
  } else {
    op.execute = bytes == 8 ? read_clock64<clock_now> : read_clock32<clock_now>;
  }
}

Parts parts_of(Decoder& decoder, const ptx::Operand& vector, unsigned whole, bool is_destination) {
  if (vector.elements.empty() || whole % vector.elements.size() != 0) {
    Decoder::refuse("has a vector that does not fill the value");
  }
  Parts parts;
  parts.bytes = whole / static_cast<unsigned>(vector.elements.size());
  for (const ptx::Operand& element : vector.elements) {
    parts.slots.push_back(is_destination ? decoder.destination(element, parts.bytes)
                                         : decoder.source(element, parts.bytes));
  }
  return parts;
}

void decode_mov(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs two operands");
  const ptx::Operand& to = instruction.operands[0];
  const ptx::Operand& from = instruction.operands[1];
  if (from.kind == ptx::Operand::Kind::reg && is_clock(from.name)) {
    return decode_clock(decoder, instruction, op);
  }
  const unsigned bytes = move_bytes(type_of(instruction));
  if (to.kind == ptx::Operand::Kind::vector) {
    op.detail = decoder.program().keep(parts_of(decoder, to, bytes, true));
    op.a = decoder.source(from, bytes);
    op.execute = unpack;
  } else if (from.kind == ptx::Operand::Kind::vector) {
    op.detail = decoder.program().keep(parts_of(decoder, from, bytes, false));
    op.d = decoder.destination(to, bytes);
    op.execute = pack;
  } else {
    op.d = decoder.destination(to, bytes);
    op.a = bytes == 0 ? decoder.predicate(from) : decoder.source(from, bytes);
    op.execute = move_handler(bytes);
  }
}

// The window of the state space that an instruction names; 0 for global and constant memory, which
// generic addresses reach as they are.
u64 window_of(const ptx::Instruction& instruction) {
  for (const std::string_view part : instruction.parts) {
    if (part.starts_with("shared")) return shared_window;
    if (part == "local") return local_window;
    if (part.starts_with("param")) return param_window;
    if (part == "global" || part == "const") return 0;
  }
  Decoder::refuse("names no state space");
}

template <class T>
const Operation* add_window(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto window = static_cast<T>(op.immediate);
  const T* const a = warp.lanes<T>(op.a);
  T* const d = warp.lanes<T>(op.d);
  for_lanes(lanes, [&](unsigned lane) { d[lane] = static_cast<T>(a[lane] + window); });
  return &op + 1;
}

// cvta: a state space's address to a generic one; cvta.to: the reverse.
void decode_cvta(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs two operands");
  const unsigned bytes = move_bytes(type_of(instruction));
  if (bytes != 8) Decoder::refuse("converts 32-bit generic addresses, which no 64-bit program has");
  const u64 window = window_of(instruction);
  op.d = decoder.destination(instruction.operands[0], bytes);
  op.a = decoder.source(instruction.operands[1], bytes);
  op.immediate = static_cast<s64>(has_modifier(instruction, "to") ? 0 - window : window);
  op.execute = add_window<u64>;
}

const Operation* is_in_window(Warp& warp, const Operation& op, LaneMask lanes) {
  LaneMask result = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const u64 address = warp.lanes<u64>(op.a)[lane];
    const bool inside = op.immediate != 0 ? in_window(address, static_cast<u64>(op.immediate))
                                          : !in_window(address, shared_window) &&
                                                !in_window(address, local_window) &&
                                                !in_window(address, param_window);
    result |= LaneMask{inside} << lane;
  }
  LaneMask& d = warp.predicate(op.d);
  d = (d & ~lanes) | result;
  return &op + 1;
}

void decode_isspacep(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                     const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs two operands");
  op.d = decoder.destination(instruction.operands[0], 0);
  op.a = decoder.source(instruction.operands[1], 8);
  op.immediate = static_cast<s64>(window_of(instruction));
  op.execute = is_in_window;
}

constexpr Definition table[] = {
    {"mov", decode_mov},
    {"cvta", decode_cvta},
    {"isspacep", decode_isspacep},
};

}  // namespace

std::span<const Definition> movement_definitions() {
  return table;
}

}  // namespace tmaemu
