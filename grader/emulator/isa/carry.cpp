// PTX ISA, "Extended-Precision Integer Arithmetic Instructions": add, sub and mad that write the
// carry flag (.cc), and addc, subc and madc, which read it.
#include <bit>

#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"

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
  if ((op.immediate & writes_carry) != 0) flag = (flag & ~lanes) | ((out ^ inverts) & lanes);
  return &op + 1;
}

template <class T>
Handler handler(std::string_view opcode, Modifiers& modifiers, bool is_signed) {
  if (opcode.starts_with("add")) return with_carry<T, Product::none, false>;
  if (opcode.starts_with("sub")) return with_carry<T, Product::none, true>;
  if (modifiers.take("lo")) return with_carry<T, Product::low, false>;
  if (!modifiers.take("hi")) Decoder::refuse("names no half of the product");
  return is_signed ? with_carry<T, Product::high_signed, false>
                   : with_carry<T, Product::high, false>;
}

void decode_with_carry(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                       const Definition&) {
  const std::string_view opcode = instruction.parts.front();
  Modifiers modifiers(instruction);
  const ptx::Type type = modifiers.take_type();
  const bool is_signed = type == ptx::Type::s32 || type == ptx::Type::s64;
  if (!is_signed && type != ptx::Type::u32 && type != ptx::Type::u64) {
    Decoder::refuse("has a type that is not modeled");
  }
  const auto bytes = static_cast<unsigned>(ptx::size_of(type));
  op.execute = bytes == 4 ? handler<u32>(opcode, modifiers, is_signed)
                          : handler<u64>(opcode, modifiers, is_signed);
  if (modifiers.take("cc")) op.immediate |= writes_carry;
  if (opcode.ends_with('c')) op.immediate |= reads_carry;
  modifiers.finish();
  const bool is_mad = opcode.starts_with("mad");
  expect_operands(instruction, is_mad ? 4 : 3);
  op.d = decoder.destination(instruction.operands[0], bytes);
  op.a = decoder.source(instruction.operands[1], bytes);
  op.b = decoder.source(instruction.operands[2], bytes);
  if (is_mad) op.c = decoder.source(instruction.operands[3], bytes);
  op.e = decoder.carry();
}

constexpr Definition table[] = {
    {"add.cc sub.cc mad.lo.cc mad.hi.cc addc subc madc", decode_with_carry},
};

}  // namespace

std::span<const Definition> carry_definitions() {
  return table;
}

}  // namespace tmaemu
