#include "emulator/tensor/decoded.h"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/numeric/half.h"
#include "emulator/tensor/block.h"

namespace tmaemu::tensor {
namespace {

DecodedElement from_bits(f32 value, int field, int fields, int bias, bool is_zero) {
  const int exponent = is_zero               ? exponent_of_zero
                       : field == fields - 1 ? exponent_of_special
                                             : std::max(field, 1) - bias;
  return {value, static_cast<s16>(exponent)};
}

DecodedElement from_f16(u32 code) {
  return from_bits(f32_from_f16(static_cast<u16>(code)), code >> 10 & 31, 32, 15,
                   (code & 0x7fff) == 0);
}

// Of the formats that have the exponents of f32.
DecodedElement from_f32_bits(u32 bits) {
  return from_bits(std::bit_cast<f32>(bits), bits >> 23 & 255, 256, 127, (bits << 1) == 0);
}

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
DecodedElement from_e4m3(u32 code) {
  static const auto table = [] {
    std::array<DecodedElement, 256> all;
    for (u32 i = 0; i < all.size(); ++i) all[i] = from_factor(Element::e4m3, i, is_widened);
    return all;
  }();
  return table[code];
}

template <class Code, class Decode>
void decode_each(const std::byte* row, unsigned count, unsigned stride, f32* values, s16* exponents,
                 Decode decode) {
  for (unsigned i = 0; i < count; ++i) {
    const DecodedElement element = decode(element_at<Code>(row, i));
    values[i * stride] = element.value;
    exponents[i * stride] = element.exponent;
  }
}

}  // namespace

void decode_row(Element type, bool is_widened, const std::byte* row, unsigned count,
                unsigned stride, f32* values, s16* exponents) {
  const auto each = [&]<class Code>(Code, auto decode) {
    decode_each<Code>(row, count, stride, values, exponents, decode);
  };
  switch (type) {
    case Element::bf16:
      return each(u16{}, [](u32 code) { return from_f32_bits(code << 16); });
    case Element::tf32:
      return each(u32{}, [](u32 code) { return from_f32_bits(code & ~0x1fffu); });
    case Element::e5m2:
      return each(u8{}, [](u32 code) { return from_f16(code << 8); });
    case Element::e4m3:
      return is_widened ? each(u8{}, from_e4m3<true>) : each(u8{}, from_e4m3<false>);
    default:
      return each(u16{}, from_f16);
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
  values.resize(std::size_t{rows} * count);
  exponents.resize(values.size());
  for (unsigned n = 0; n < rows; ++n) {
    decode_row(type, is_widened, source.row(n), count, rows, values.data() + n,
               exponents.data() + n);
  }
}

}  // namespace tmaemu::tensor
