#include "emulator/tensor/decoded.h"

#include <algorithm>
#include <array>
#include <bit>

#include "common/half.h"
#include "emulator/tensor/block.h"

namespace tmaemu::tensor {
namespace {

// Of a number whose exponent field has `fields` values, by the field, and whether all bits but the
// sign are zero. Without branches, for loops of vectors.
template <class Code>
s16 exponent_of(Code field, Code fields, Code bias, bool is_zero) {
  const auto exponent = static_cast<s16>(std::max<Code>(field, 1) - bias);
  const s16 of_finite = is_zero ? exponent_of_zero : exponent;
  return field == fields - 1 ? exponent_of_special : of_finite;
}

// How elements of a format are decoded; those of f32's exponents by their upper bits.
struct Halves {
  using Code = u16;
  static f32 value(Code code) { return f32_from_f16(code); }
  static s16 exponent(Code code) {
    const auto field = static_cast<Code>(code >> 10 & 31);
    return exponent_of<Code>(field, 32, 15, (code & 0x7fff) == 0);
  }
};
struct BrainHalves {
  using Code = u16;
  static f32 value(Code code) { return f32_from_bf16(code); }
  static s16 exponent(Code code) {
    const auto field = static_cast<Code>(code >> 7 & 255);
    return exponent_of<Code>(field, 256, 127, (code & 0x7fff) == 0);
  }
};
struct Tf32 {
  using Code = u32;
  static constexpr Code used_bits = ~Code{0x1fff};
  static f32 value(Code code) { return std::bit_cast<f32>(code & used_bits); }
  static s16 exponent(Code code) {
    return exponent_of<Code>(code >> 23 & 255, 256, 127, (code & used_bits) << 1 == 0);
  }
};
struct E5m2 {
  using Code = u8;
  static f32 value(Code code) { return Halves::value(static_cast<u16>(code << 8)); }
  static s16 exponent(Code code) { return Halves::exponent(static_cast<u16>(code << 8)); }
};

// By the slow rules, for formats with few numbers.
DecodedElement from_factor(Element type, u32 code, bool is_widened) {
  const Factor one = factor(type, code, is_widened);
  if (one.is_zero()) return {0, exponent_of_zero};
  if (one.number.kind != ExactNumber::Kind::finite) return {0, exponent_of_special};
  const auto bits =
      static_cast<u32>(encode(float_format::f32, one.number, Rounding::toward_zero, false));
  return {std::bit_cast<f32>(bits), static_cast<s16>(one.exponent)};
}

template <bool is_widened>
struct E4m3 {
  using Code = u8;
  static const std::array<DecodedElement, 256>& table() {
    static const auto all = [] {
      std::array<DecodedElement, 256> decoded;
      for (u32 i = 0; i < decoded.size(); ++i) {
        decoded[i] = from_factor(Element::e4m3, i, is_widened);
      }
      return decoded;
    }();
    return all;
  }
  static f32 value(Code code) { return table()[code].value; }
  static s16 exponent(Code code) { return table()[code].exponent; }
};

// In two loops, each of which the compiler vectorizes.
template <class Format>
void decode_each(const std::byte* row, unsigned count, f32* values, s16* exponents) {
  using Code = typename Format::Code;
#pragma GCC ivdep
  for (unsigned i = 0; i < count; ++i) values[i] = Format::value(element_at<Code>(row, i));
#pragma GCC ivdep
  for (unsigned i = 0; i < count; ++i) exponents[i] = Format::exponent(element_at<Code>(row, i));
}

void decode_row(Element type, bool is_widened, const std::byte* row, unsigned count, f32* values,
                s16* exponents) {
  switch (type) {
    case Element::bf16:
      return decode_each<BrainHalves>(row, count, values, exponents);
    case Element::tf32:
      return decode_each<Tf32>(row, count, values, exponents);
    case Element::e5m2:
      return decode_each<E5m2>(row, count, values, exponents);
    case Element::e4m3:
      return is_widened ? decode_each<E4m3<true>>(row, count, values, exponents)
                        : decode_each<E4m3<false>>(row, count, values, exponents);
    default:
      return decode_each<Halves>(row, count, values, exponents);
  }
}

template <class Code>
void transpose_codes(const PackedRows& source, unsigned rows, unsigned count, std::byte* to) {
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned row = 0; row < rows; ++row, to += sizeof(Code)) {
      std::memcpy(to, source.row(row) + i * sizeof(Code), sizeof(Code));
    }
  }
}

// Elements that are not decoded yet: first those of all rows that come first in them.
void transpose(Element type, const PackedRows& source, unsigned rows, unsigned count,
               std::byte* to) {
  switch (bits_of(type)) {
    case 32:
      return transpose_codes<u32>(source, rows, count, to);
    case 16:
      return transpose_codes<u16>(source, rows, count, to);
    default:
      return transpose_codes<u8>(source, rows, count, to);
  }
}

}  // namespace

void decode_rows(Element type, bool is_widened, const PackedRows& source, unsigned rows,
                 unsigned count, f32* values, s16* exponents) {
  // Without gaps they are one row, in a longer loop.
  const bool are_one = source.row_bytes * 8 == count * bits_of(type);
  const unsigned at_once = are_one ? rows * count : count;
  for (unsigned i = 0; i < (are_one ? 1 : rows); ++i) {
    decode_row(type, is_widened, source.row(i), at_once, values + std::size_t{i} * count,
               exponents + std::size_t{i} * count);
  }
}

void DecodedColumns::hold(Element of_type, bool widened, const PackedRows& source,
                          unsigned row_count, unsigned element_count) {
  const std::size_t bytes = std::size_t{row_count} * source.row_bytes;
  if (type == of_type && is_widened == widened && rows == row_count && count == element_count &&
      packed.size() == bytes && std::memcmp(packed.data(), source.bytes, bytes) == 0) {
    return;
  }
  type = of_type;
  is_widened = widened;
  rows = row_count;
  count = element_count;
  packed.assign(source.bytes, source.bytes + bytes);
  const unsigned elements = rows * count;
  transposed.resize(std::size_t{elements} * bits_of(type) / 8);
  transpose(type, source, rows, count, transposed.data());
  values.resize(elements);
  exponents.resize(elements);
  decode_row(type, is_widened, transposed.data(), elements, values.data(), exponents.data());
}

}  // namespace tmaemu::tensor
