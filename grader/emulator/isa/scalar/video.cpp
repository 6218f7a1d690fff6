// PTX ISA, "Video Instructions": the SIMD ones, which compute with the halves or the bytes of a
// register.
#include "emulator/isa/scalar/video.h"

#include <array>
#include <functional>
#include <string>

namespace tmaemu {
namespace {

using namespace video;

// Which parts an operand brings, of those of a and then those of b.
using Selection = std::array<std::uint8_t, 4>;

struct SimdForm {
  bool a_is_signed = false, b_is_signed = false, result_is_signed = false;
  bool saturates = false;
  bool accumulates = false;  // c and all results, instead of a result for each part
  Selection from_a = {}, from_b = {};
  std::uint8_t mask = 0;  // parts that have a result; the others are those of c
};

template <unsigned bits, class Operator>
u32 compute(const SimdForm& form, u32 a, u32 b, u32 c) {
  const u64 both = u64{b} << 32 | a;
  const auto part = [&](unsigned index, bool is_signed) {
    return extended(both >> bits * index, bits, is_signed);
  };
  constexpr u32 ones = (1u << bits) - 1;
  u32 parts = c, sum = c;
  for (unsigned i = 0; i < 32 / bits; ++i) {
    if ((form.mask >> i & 1) == 0) continue;
    s64 result = Operator::of(part(form.from_a[i], form.a_is_signed),
                              part(form.from_b[i], form.b_is_signed));
    if (form.saturates) result = saturated(result, bits, form.result_is_signed);
    parts = (parts & ~(ones << i * bits)) | (static_cast<u32>(result) & ones) << i * bits;
    sum += static_cast<u32>(result);
  }
  return form.accumulates ? sum : parts;
}

template <unsigned bits, class Operator>
const Operation* simd(Warp& warp, const Operation& op, LaneMask lanes) {
  const SimdForm form = *static_cast<const SimdForm*>(op.detail);
  const u32* const a = warp.lanes<u32>(op.a);
  const u32* const b = warp.lanes<u32>(op.b);
  const u32* const c = warp.lanes<u32>(op.c);
  u32* const d = warp.lanes<u32>(op.d);
  for_lanes(lanes, [&](unsigned lane) {
    d[lane] = compute<bits, Operator>(form, a[lane], b[lane], c[lane]);
  });
  return &op + 1;
}

// The digits of an operand's part: h or b, then a digit a part, the lowest one last. Empty where
// the operand is a whole register.
template <unsigned bits>
std::string_view digits_of(const ptx::Operand& operand) {
  std::string_view part = operand.part;
  if (part.empty()) return part;
  if (part[0] != (bits == 16 ? 'h' : 'b')) {
    refuse("has the part ." + std::string(part) + ", which is not one of its own");
  }
  part.remove_prefix(1);
  return part;
}

template <unsigned bits>
Selection selection_of(const ptx::Operand& operand, unsigned usual) {
  constexpr unsigned count = 32 / bits;
  const std::string_view digits = digits_of<bits>(operand);
  if (!digits.empty() && digits.size() != count) refuse("selects another number of parts");
  Selection selection{};
  for (unsigned i = 0; i < count; ++i) {
    const unsigned index =
        digits.empty() ? usual + i : static_cast<unsigned>(digits[count - 1 - i] - '0');
    if (index >= 2 * count) refuse("selects a part that there is not");
    selection[i] = static_cast<std::uint8_t>(index);
  }
  return selection;
}

template <unsigned bits>
std::uint8_t mask_of(const ptx::Operand& operand) {
  constexpr unsigned count = 32 / bits;
  const std::string_view digits = digits_of<bits>(operand);
  if (digits.empty()) return (1u << count) - 1;
  unsigned mask = 0, below = count;
  for (const char digit : digits) {
    const auto index = static_cast<unsigned>(digit - '0');
    if (index >= below) refuse("has a mask that is not written from above");
    below = index;
    mask |= 1u << index;
  }
  return static_cast<std::uint8_t>(mask);
}

template <unsigned bits>
void decode_operands(Decoder& decoder, Instruction& instruction, Operation& op, SimdForm form) {
  instruction.expect_operands(4);
  form.mask = mask_of<bits>(instruction.operand(0));
  form.from_a = selection_of<bits>(instruction.operand(1), 0);
  form.from_b = selection_of<bits>(instruction.operand(2), 32 / bits);
  if (instruction.operand(1).negated || instruction.operand(2).negated)
    refuse("negates an operand");
  op.d = decoder.whole_destination(instruction.operand(0), 4);
  op.a = decoder.part_source(instruction.operand(1), 4);
  op.b = decoder.part_source(instruction.operand(2), 4);
  op.c = decoder.source(instruction.operand(3), 4);
  op.detail = decoder.program().keep(form);
}

// vop.dtype.atype.btype{.sat,.add} d{.mask}, a{.asel}, b{.bsel}, c
template <unsigned bits, class Operator>
void decode_simd(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  SimdForm form;
  form.result_is_signed = take_signedness(instruction);
  form.a_is_signed = take_signedness(instruction);
  form.b_is_signed = take_signedness(instruction);
  form.saturates = instruction.take("sat");
  form.accumulates = !form.saturates && instruction.take("add");
  decode_operands<bits>(decoder, instruction, op, form);
  op.execute = simd<bits, Operator>;
}

template <unsigned bits>
constexpr Choice<Handler> comparisons[] = {
    {"eq", simd<bits, Compare<std::equal_to<>>>}, {"ne", simd<bits, Compare<std::not_equal_to<>>>},
    {"lt", simd<bits, Compare<std::less<>>>},     {"le", simd<bits, Compare<std::less_equal<>>>},
    {"gt", simd<bits, Compare<std::greater<>>>},  {"ge", simd<bits, Compare<std::greater_equal<>>>},
};

// vset.atype.btype.cmp{.add} d{.mask}, a{.asel}, b{.bsel}, c
template <unsigned bits>
void decode_set(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  SimdForm form;
  form.a_is_signed = take_signedness(instruction);
  form.b_is_signed = take_signedness(instruction);
  op.execute = instruction.require_one_of(comparisons<bits>, "comparison");
  form.accumulates = instruction.take("add");
  decode_operands<bits>(decoder, instruction, op, form);
}

constexpr unsigned half = 16, byte = 8;

constexpr Definition table[] = {
    {"vadd2", decode_simd<half, Add>},
    {"vadd4", decode_simd<byte, Add>},
    {"vsub2", decode_simd<half, Subtract>},
    {"vsub4", decode_simd<byte, Subtract>},
    {"vavrg2", decode_simd<half, Average>},
    {"vavrg4", decode_simd<byte, Average>},
    {"vabsdiff2", decode_simd<half, Distance>},
    {"vabsdiff4", decode_simd<byte, Distance>},
    {"vmin2", decode_simd<half, Minimum>},
    {"vmin4", decode_simd<byte, Minimum>},
    {"vmax2", decode_simd<half, Maximum>},
    {"vmax4", decode_simd<byte, Maximum>},
    {"vset2", decode_set<half>},
    {"vset4", decode_set<byte>},
};

}  // namespace

std::span<const Definition> video_definitions() {
  return table;
}

}  // namespace tmaemu
