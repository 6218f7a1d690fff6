// PTX ISA, "Data Movement and Conversion Instructions": mov, cvta, isspacep and what else moves
// values between registers and address spaces.

#include <algorithm>
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
  if (!warp.is_clock_up_to_date(op, lanes)) return &op;
  const auto now = static_cast<u32>(time(warp) >> op.immediate);
  for (; lanes != 0; lanes &= lanes - 1) warp.lanes<u32>(op.d)[std::countr_zero(lanes)] = now;
  return &op + 1;
}
template <u64 (*time)(const Warp&)>
const Operation* read_clock64(Warp& warp, const Operation& op, LaneMask lanes) {
  if (!warp.is_clock_up_to_date(op, lanes)) return &op;
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
constexpr Definition move_complement = lanewise<[](bool a) -> bool { return !a; }>("");

struct Wide {
  u64 low, high;
};

Handler move_handler(unsigned bytes) {
  switch (bytes) {
    case 2:
      return move<u16>.handler;
    case 4:
      return move<u32>.handler;
    case 8:
      return move<u64>.handler;
    case 16:
      return move<Wide>.handler;
    default:
      refuse("moves values of an unexpected size");
  }
}

bool is_clock(std::string_view name) {
  return name == "%clock" || name == "%clock64" || name == "%clock_hi" ||
         name.starts_with("%globaltimer");
}

void decode_clock(Decoder& decoder, Instruction& instruction, Operation& op, unsigned bytes) {
  const std::string_view name = instruction.operand(1).name;
  if (bytes != 4 && bytes != 8) refuse("takes the time in another size");
  decoder.effects().reads_clock = true;
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.immediate = name == "%clock_hi" || name == "%globaltimer_hi" ? 32 : 0;
  if (name.starts_with("%globaltimer")) {
    op.execute = bytes == 8 ? read_clock64<nanoseconds_now> : read_clock32<nanoseconds_now>;
  } else {
    op.execute = bytes == 8 ? read_clock64<clock_now> : read_clock32<clock_now>;
  }
}

Parts parts_of(Decoder& decoder, const ptx::Operand& vector, unsigned whole, bool is_destination) {
  if (vector.elements.empty() || whole % vector.elements.size() != 0) {
    refuse("has a vector that does not fill the value");
  }
  Parts parts;
  parts.bytes = whole / static_cast<unsigned>(vector.elements.size());
  for (const ptx::Operand& element : vector.elements) {
    parts.slots.push_back(is_destination ? decoder.destination(element, parts.bytes)
                                         : decoder.source(element, parts.bytes));
  }
  return parts;
}

void decode_predicate_move(Decoder& decoder, Instruction& instruction, Operation& op) {
  const ptx::Operand& from = instruction.operand(1);
  op.d = decoder.destination(instruction.operand(0), 0);
  op.a = decoder.predicate(from);
  op.execute = from.negated ? move_complement.handler : move_predicate.handler;
}

// mov.type d, a
void decode_mov(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const ptx::Type type = instruction.take_type();
  instruction.expect_operands(2);
  if (type == ptx::Type::pred) return decode_predicate_move(decoder, instruction, op);
  const auto bytes = static_cast<unsigned>(ptx::size_of(type));
  const ptx::Operand& to = instruction.operand(0);
  const ptx::Operand& from = instruction.operand(1);
  if (from.kind == ptx::Operand::Kind::reg && is_clock(from.name)) {
    decode_clock(decoder, instruction, op, bytes);
  } else if (to.kind == ptx::Operand::Kind::vector) {
    op.detail = decoder.program().keep(parts_of(decoder, to, bytes, true));
    op.a = decoder.source(from, bytes);
    op.execute = unpack;
  } else if (from.kind == ptx::Operand::Kind::vector) {
    op.detail = decoder.program().keep(parts_of(decoder, from, bytes, false));
    op.d = decoder.destination(to, bytes);
    op.execute = pack;
  } else {
    op.d = decoder.destination(to, bytes);
    op.a = decoder.source(from, bytes);
    op.execute = move_handler(bytes);
  }
}

const Operation* add_window(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto window = static_cast<u64>(op.immediate);
  const u64* const a = warp.lanes<u64>(op.a);
  u64* const d = warp.lanes<u64>(op.d);
  for_lanes(lanes, [&](unsigned lane) { d[lane] = a[lane] + window; });
  return &op + 1;
}

// The windows of the state spaces; global and constant memory have none, as generic addresses
// reach them as they are.
constexpr Choice<u64> windows[] = {
    {"const", 0},
    {"global", 0},
    {"local", local_window},
    {"shared", shared_window},
    {"shared::cta", shared_window},
    {"shared::cluster", shared_window},
    {"param", param_window},
    {"param::entry", param_window},
};

// cvta.space.u64: a state space's address to a generic one; cvta.to.space.u64: the reverse.
void decode_cvta(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool is_reverse = instruction.take("to");
  const u64 window = instruction.require_one_of(windows, "state space");
  if (instruction.take("u32")) {
    refuse("converts 32-bit generic addresses, which no 64-bit program has");
  }
  instruction.require("u64");
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 8);
  op.a = decoder.source(instruction.operand(1), 8);
  op.immediate = static_cast<s64>(is_reverse ? 0 - window : window);
  op.execute = add_window;
}

// A generic address is in a state space where it lies in its window: .shared::cta is the part of
// the shared window that is the CTA's own. Global memory is what has no other window, without
// constant memory but with the kernel's parameters. As measured on an H200.
bool is_shared_cta(Warp& warp, const Operation&, u64 address) {
  return in_window(address, shared_window) &&
         shared_rank(static_cast<u32>(address)) == warp.cta().rank;
}
template <u64 window>
bool is_in_window(Warp&, const Operation&, u64 address) {
  return in_window(address, window);
}
bool is_constant(Warp&, const Operation& op, u64 address) {
  const auto& variables = *static_cast<const std::vector<AddressRange>*>(op.detail);
  return std::ranges::any_of(variables, [&](const AddressRange& variable) {
    return address - variable.address < variable.bytes;
  });
}
bool is_global(Warp& warp, const Operation& op, u64 address) {
  return !in_window(address, shared_window) && !in_window(address, local_window) &&
         !is_constant(warp, op, address);
}

template <bool (*is_in_space)(Warp&, const Operation&, u64)>
const Operation* test_space(Warp& warp, const Operation& op, LaneMask lanes) {
  LaneMask result = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    result |= LaneMask{is_in_space(warp, op, warp.lanes<u64>(op.a)[lane])} << lane;
  }
  write_lanes(warp.predicate(op.d), result, lanes);
  return &op + 1;
}

constexpr Definition copying(std::string_view name, Definition::Decode decode) {
  Definition definition{name, decode};
  definition.computation = Computation::copy;
  return definition;
}

// isspacep.space p, a
void decode_isspacep(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  static constexpr Choice<Handler> spaces[] = {
      {"const", test_space<is_constant>},
      {"global", test_space<is_global>},
      {"local", test_space<is_in_window<local_window>>},
      {"shared", test_space<is_shared_cta>},
      {"shared::cta", test_space<is_shared_cta>},
      {"shared::cluster", test_space<is_in_window<shared_window>>},
      {"param", test_space<is_in_window<param_window>>},
      {"param::entry", test_space<is_in_window<param_window>>},
  };
  op.execute = instruction.require_one_of(spaces, "state space");
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 0);
  op.a = decoder.source(instruction.operand(1), 8);
  op.detail = decoder.program().keep(decoder.constant_variables());
}

constexpr Definition table[] = {
    copying("mov", decode_mov),
    copying("cvta", decode_cvta),
    {"isspacep", decode_isspacep},
};

}  // namespace

std::span<const Definition> movement_definitions() {
  return table;
}

}  // namespace tmaemu
