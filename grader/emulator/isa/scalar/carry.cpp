// PTX ISA, "Extended-Precision Integer Arithmetic Instructions": add, sub and mad that write the
// carry flag (.cc), and addc, subc and madc, which read it.
#include <bit>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

enum class Product { none, low, high, high_signed };

template <class T, Product product>
T multiply(T a, T b) {
  constexpr unsigned bits = 8 * sizeof(T);
  if constexpr (product == Product::high) return static_cast<T>(u128{a} * b >> bits);
  if constexpr (product == Product::high_signed) {
    using S = std::make_signed_t<T>;
    return static_cast<T>(s128{static_cast<S>(a)} * static_cast<S>(b) >> bits);
  }
  return a * b;
}

// Which of the flag's two sides are used: op.immediate.
constexpr s64 reads_carry = 1;
constexpr s64 writes_carry = 2;

// d = a + b, a * b + c or a - b, and the carry of it. The flag is in op.e. The hardware subtracts
// by adding the complement: the flag is then set where nothing is borrowed, which shows when a
// borrow is read by addc, or a carry by subc.
template <class T, Product product, bool subtracts>
const Operation* with_carry(Warp& warp, const Operation& op, LaneMask lanes) {
  LaneMask& flag = warp.predicate(op.e);
  const LaneMask inverts = subtracts ? all_lanes : 0;
  const LaneMask in = (op.immediate & reads_carry) != 0 ? flag ^ inverts : 0;
  LaneMask out = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    T x = warp.lanes<T>(op.a)[lane];
    T y = warp.lanes<T>(op.b)[lane];
    if constexpr (product != Product::none) {
      x = multiply<T, product>(x, y);
      y = warp.lanes<T>(op.c)[lane];
    }
    const T carry = in >> lane & 1;
    T sum, total;
    const bool first =
        subtracts ? __builtin_sub_overflow(x, y, &sum) : __builtin_add_overflow(x, y, &sum);
    const bool second = subtracts ? __builtin_sub_overflow(sum, carry, &total)
                                  : __builtin_add_overflow(sum, carry, &total);
    warp.lanes<T>(op.d)[lane] = total;
    out |= LaneMask{first || second} << lane;
  }
  if ((op.immediate & writes_carry) != 0) write_lanes(flag, out ^ inverts, lanes);
  return &op + 1;
}

struct Form {
  unsigned bytes;
  Handler handler;
};

// {add,sub,mad.lo,mad.hi}.cc.type and {addc,subc,madc.lo,madc.hi}{.cc}.type
template <Product product, bool subtracts = false>
void decode_with_carry(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition&) {
  constexpr Product of_signed = product == Product::high ? Product::high_signed : product;
  static constexpr Choice<Form> forms[] = {
      {"u32", {4, with_carry<u32, product, subtracts>}},
      {"s32", {4, with_carry<u32, of_signed, subtracts>}},
      {"u64", {8, with_carry<u64, product, subtracts>}},
      {"s64", {8, with_carry<u64, of_signed, subtracts>}},
  };
  const auto [bytes, handler] = instruction.require_one_of(forms, "type that is modeled");
  if (instruction.opcode().ends_with('c')) op.immediate |= reads_carry;
  if (instruction.row().ends_with(".cc") || instruction.take("cc")) op.immediate |= writes_carry;
  constexpr bool multiplies = product != Product::none;
  instruction.expect_operands(multiplies ? 4 : 3);
  op.execute = handler;
  op.d = decoder.destination(instruction.operand(0), bytes);
  op.a = decoder.source(instruction.operand(1), bytes);
  op.b = decoder.source(instruction.operand(2), bytes);
  if (multiplies) op.c = decoder.source(instruction.operand(3), bytes);
  op.e = decoder.carry((op.immediate & reads_carry) != 0, (op.immediate & writes_carry) != 0);
}

constexpr Definition table[] = {
    {"add.cc addc", decode_with_carry<Product::none>},
    {"sub.cc subc", decode_with_carry<Product::none, true>},
    {"mad.lo.cc madc.lo", decode_with_carry<Product::low>},
    {"mad.hi.cc madc.hi", decode_with_carry<Product::high>},
};

}  // namespace

std::span<const Definition> carry_definitions() {
  return table;
}

}  // namespace tmaemu
