// Lane loops: turns a function of scalars into a handler that applies it to the lanes of a warp.
//
//     lanewise<[](u32 a, u32 b) -> u32 { return a + b; }>("add.u32 add.s32")
//
// defines an instruction; the types of the function are the types of its operands, and bool is a
// predicate.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "emulator/numeric/types.h"
#include "emulator/program/decoder.h"
#include "emulator/program/definition.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

// Calls body(lane) for the lanes of the mask, in ascending order; for all 32 in a loop that the
// compiler vectorizes. Each lane may depend on itself only: a destination that is also a source is
// the same array.
template <class Body>
[[gnu::always_inline]] inline void for_lanes(LaneMask lanes, Body&& body) {
  if (lanes == all_lanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < warp_size; ++lane) body(lane);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) body(static_cast<unsigned>(std::countr_zero(lanes)));
  }
}

namespace lanes_detail {

// The mask of each lane by itself: a shift by the lane, which not every machine has for vectors.
constexpr std::array<LaneMask, warp_size> lane_bits = [] {
  std::array<LaneMask, warp_size> bits{};
  for (unsigned lane = 0; lane < warp_size; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}();

}  // namespace lanes_detail

// In which lanes test(lane) holds; what it says of lanes outside of the mask is open. The test has
// no effects: it is asked of all lanes, by a loop that the compiler vectorizes, or of the only one.
template <class Test>
[[gnu::always_inline]] inline LaneMask lanes_where(LaneMask lanes, Test&& test) {
  if (std::has_single_bit(lanes)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    return LaneMask{test(lane)} << lane;
  }
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result |= (LaneMask{0} - LaneMask{test(lane)}) & lanes_detail::lane_bits[lane];
  }
  return result;
}

// Writes the lanes' bits of a predicate.
inline void write_lanes(LaneMask& d, LaneMask value, LaneMask lanes) {
  d = (d & ~lanes) | (value & lanes);
}

namespace lanes_detail {

// So few lanes are faster one by one than 32 of which most are thrown away.
constexpr int few_lanes = 6;

// A source operand, lane by lane.
template <class T>
struct Source {
  const T* values;
  Source(Warp& warp, Slot slot) : values(warp.lanes<T>(slot)) {}
  T operator[](unsigned lane) const { return values[lane]; }
};
template <>
struct Source<bool> {
  LaneMask mask;
  Source(Warp& warp, Slot slot) : mask(warp.predicate(slot)) {}
  bool operator[](unsigned lane) const { return (mask >> lane & 1) != 0; }
};

template <auto function, class Signature>
struct Apply;
template <auto function, class F, class R, class... A>
struct Apply<function, R (F::*)(A...) const> {
  static constexpr Slot Operation::*slots[] = {&Operation::a, &Operation::b, &Operation::c,
                                               &Operation::e};

  template <std::size_t... i>
  [[gnu::always_inline]] static void run(Warp& warp, const Operation& op, LaneMask lanes,
                                         std::index_sequence<i...> places) {
    if constexpr (std::is_same_v<R, bool>) {
      write_lanes(warp.predicate(op.d), lanes_where(lanes, values(warp, op, places)), lanes);
    } else if (lanes == all_lanes || std::popcount(lanes) <= few_lanes) {
      R* const d = warp.lanes<R>(op.d);
      for_lanes(lanes,
                [d, value = values(warp, op, places)](unsigned lane) { d[lane] = value(lane); });
    } else {
      run_many(warp, op, lanes, places);
    }
  }

  // Of all lanes, by a loop that the compiler vectorizes; those of the mask are kept.
  template <std::size_t... i>
  [[gnu::noinline]] static void run_many(Warp& warp, const Operation& op, LaneMask lanes,
                                         std::index_sequence<i...> places) {
    R* const d = warp.lanes<R>(op.d);
    const auto value = values(warp, op, places);
    std::array<R, warp_size> all;
    for (unsigned lane = 0; lane < warp_size; ++lane) all[lane] = value(lane);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      d[lane] = (lanes >> lane & 1) != 0 ? all[lane] : d[lane];
    }
  }

  // The result of a lane.
  template <std::size_t... i>
  [[gnu::always_inline]] static auto values(Warp& warp, const Operation& op,
                                            std::index_sequence<i...>) {
    return [sources = std::tuple<Source<A>...>{Source<A>(warp, op.*slots[i])...}](unsigned lane) {
      return function(std::get<i>(sources)[lane]...);
    };
  }

  static const Operation* execute(Warp& warp, const Operation& op, LaneMask lanes) {
    run(warp, op, lanes, std::index_sequence_for<A...>{});
    return &op + 1;
  }

  static constexpr std::array<std::uint8_t, 5> bytes() { return {size<R>(), size<A>()...}; }
  static constexpr std::uint8_t operands = sizeof...(A) + 1;

 private:
  template <class T>
  static constexpr std::uint8_t size() {
    return std::is_same_v<T, bool> ? 0 : sizeof(T);
  }
};

}  // namespace lanes_detail

// Decodes operands in PTX's order into d, a, b, c, e, with the sizes of the definition.
void decode_in_order(Decoder& decoder, Instruction& instruction, Operation& op,
                     const Definition& definition);

// The definition of an instruction that does the same to every lane. Of a few, observers ask how
// the result comes from the operands.
template <auto function>
constexpr Definition lanewise(std::string_view names, Computation computation = Computation::any) {
  using Apply = lanes_detail::Apply<function, decltype(&decltype(function)::operator())>;
  return {names, &decode_in_order, &Apply::execute, Apply::bytes(), Apply::operands, computation};
}

// For instructions of whole warps (PTX ISA, the .aligned modifier of mma, wmma, ldmatrix and
// others): whether all lanes of the warp are here. Where some are still on their way, the others
// sleep: `next` is where they go on. Where some never come, a fault.
bool is_whole_warp(Warp& warp, const Operation& op, LaneMask lanes, const Operation*& next);

}  // namespace tmaemu
