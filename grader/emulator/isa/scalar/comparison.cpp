// PTX ISA, "Comparisons": the operators, for every type.
#include "emulator/isa/scalar/comparison.h"

#include <array>
#include <string>

#include "emulator/isa/lanes.h"
#include "emulator/isa/scalar/floating.h"

namespace tmaemu {
namespace {

// In the order of the tables below. The first six are false where an operand is NaN (but for ne of
// integers), the `u` ones true.
enum class Comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan,
};
constexpr std::size_t ordered_comparisons = 6;
constexpr std::size_t all_comparisons = 14;
constexpr std::string_view comparison_names[all_comparisons] = {
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

// `unordered` is constant false for integers. The operators | and & keep the loops free of
// branches.
template <Comparison comparison, class T>
bool holds(T a, T b) {
  const bool unordered = (a != a) | (b != b);
  switch (comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return (a != b) & !unordered;
    case Comparison::lt:
      return a < b;
    case Comparison::le:
      return a <= b;
    case Comparison::gt:
      return a > b;
    case Comparison::ge:
      return a >= b;
    case Comparison::equ:
      return (a == b) | unordered;
    case Comparison::neu:
      return a != b;
    case Comparison::ltu:
      return (a < b) | unordered;
    case Comparison::leu:
      return (a <= b) | unordered;
    case Comparison::gtu:
      return (a > b) | unordered;
    case Comparison::geu:
      return (a >= b) | unordered;
    case Comparison::num:
      return !unordered;
    case Comparison::nan:
      return unordered;
  }
}

// What is compared: the register's value, or its exact value in a host type.
template <bool ftz, class T>
auto comparable(T a) {
  if constexpr (std::is_integral_v<T>) {
    return a;
  } else if constexpr (ftz) {
    return widen(flushed(a));
  } else {
    return widen(a);
  }
}

// Element `part` of `parts` in each register.
template <Comparison comparison, class T, bool ftz, unsigned parts = 1, unsigned part = 0>
[[gnu::always_inline]] inline LaneMask compare(Warp& warp, const Operation& op, LaneMask lanes) {
  const T* const a = warp.lanes<T>(op.a) + part;
  const T* const b = warp.lanes<T>(op.b) + part;
  return lanes_where(lanes, [&](unsigned lane) {
    return holds<comparison>(comparable<ftz>(a[parts * lane]), comparable<ftz>(b[parts * lane]));
  });
}

template <LaneComparison comparison>
const Operation* plain_setp(Warp& warp, const Operation& op, LaneMask lanes) {
  write_lanes(warp.predicate(op.d), comparison(warp, op, lanes), lanes);
  return &op + 1;
}

using Row = std::array<ComparisonForm, all_comparisons>;

template <Comparison comparison, class T, bool ftz>
constexpr ComparisonForm form() {
  if constexpr (is_pair<T>) {
    using Element = decltype(T::low);
    return {compare<comparison, Element, ftz, 2, 0>, compare<comparison, Element, ftz, 2, 1>};
  } else {
    constexpr LaneComparison low = compare<comparison, T, ftz>;
    return {low, nullptr, plain_setp<low>};
  }
}

template <class T, bool ftz, std::size_t... i>
constexpr Row make_row(std::index_sequence<i...>) {
  return {form<static_cast<Comparison>(i), T, ftz>()...};
}
// Integers have the first six comparisons only.
template <class T, bool ftz = false>
constexpr Row row = make_row<T, ftz>(
    std::make_index_sequence<std::is_integral_v<T> ? ordered_comparisons : all_comparisons>());

const Row& row_of(ptx::Type type, bool ftz) {
  using ptx::Type;
  switch (type) {
    case Type::b16:
    case Type::u16:
      return row<u16>;
    case Type::s16:
      return row<s16>;
    case Type::b32:
    case Type::u32:
      return row<u32>;
    case Type::s32:
      return row<s32>;
    case Type::b64:
    case Type::u64:
      return row<u64>;
    case Type::s64:
      return row<s64>;
    case Type::f16:
      return ftz ? row<f16, true> : row<f16>;
    case Type::f16x2:
      return ftz ? row<Pair<f16>, true> : row<Pair<f16>>;
    case Type::bf16:
      return row<bf16>;
    case Type::bf16x2:
      return row<Pair<bf16>>;
    case Type::f32:
      return ftz ? row<f32, true> : row<f32>;
    case Type::f64:
      return row<f64>;
    default:
      refuse("compares a type that is not modeled");
  }
}

bool can_flush(ptx::Type type) {
  return type == ptx::Type::f16 || type == ptx::Type::f16x2 || type == ptx::Type::f32;
}

std::size_t comparison_from_name(std::string_view name, ptx::Type type) {
  using ptx::Type;
  const bool is_unsigned = type == Type::u16 || type == Type::u32 || type == Type::u64;
  const bool is_bits = type == Type::b16 || type == Type::b32 || type == Type::b64;
  // Other names of the unsigned comparisons.
  if (is_unsigned && name == "lo") name = "lt";
  if (is_unsigned && name == "ls") name = "le";
  if (is_unsigned && name == "hi") name = "gt";
  if (is_unsigned && name == "hs") name = "ge";
  for (std::size_t i = 0; i < all_comparisons; ++i) {
    if (comparison_names[i] == name && (!is_bits || i < 2)) return i;
  }
  refuse("has the comparison ." + std::string(name) + ", which its type does not have");
}

constexpr Choice<Combination> combinations[] = {{"and", Combination::conjunction},
                                                {"or", Combination::disjunction},
                                                {"xor", Combination::exclusive}};

}  // namespace

ComparisonForm decode_comparison(Decoder& decoder, Instruction& instruction, ptx::Type type,
                                 Operation& op) {
  const bool ftz = instruction.take("ftz");
  if (ftz && !can_flush(type)) refuse_modifier("ftz", type);
  const auto combination = instruction.take_one_of(combinations);
  const std::size_t index = comparison_from_name(instruction.take_first(), type);
  ComparisonForm form = row_of(type, ftz)[index];
  if (form.low == nullptr) refuse("has a comparison that integers do not have");
  form.combination = combination.value_or(Combination::none);
  const bool combines = form.combination != Combination::none;
  instruction.expect_operands(combines ? 4 : 3);
  const auto bytes = static_cast<unsigned>(ptx::size_of(type));
  op.a = decoder.floating_source(instruction.operand(1), bytes);
  op.b = decoder.floating_source(instruction.operand(2), bytes);
  op.c = Program::true_slot;
  if (combines) {
    op.c = decoder.predicate(instruction.operand(3));
    form.negates_predicate = instruction.operand(3).negated;
  }
  return form;
}

}  // namespace tmaemu
