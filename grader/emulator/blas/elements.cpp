#include "emulator/blas/elements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/half.h"
#include "emulator/numeric/float_format.h"

namespace tmaemu::blas {
namespace {

template <class Number>
Number read(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

template <class Number>
void write(Number number, std::byte* to) {
  std::memcpy(to, &number, sizeof number);
}

using Fp8Numbers = std::array<double, 256>;

Fp8Numbers numbers_of(const FloatFormat& format) {
  Fp8Numbers numbers{};
  for (unsigned bits = 0; bits < numbers.size(); ++bits) {
    const std::uint64_t wide =
        encode(float_format::f64, decompose(format, bits), Rounding::nearest_even, false);
    numbers[bits] = std::bit_cast<double>(wide);
  }
  return numbers;
}

const Fp8Numbers& e4m3_numbers() {
  static const Fp8Numbers numbers = numbers_of(float_format::e4m3);
  return numbers;
}

const Fp8Numbers& e5m2_numbers() {
  static const Fp8Numbers numbers = numbers_of(float_format::e5m2);
  return numbers;
}

std::uint64_t rounded(const FloatFormat& format, double value, bool satfinite = false) {
  return encode(format, decompose(float_format::f64, std::bit_cast<std::uint64_t>(value)),
                Rounding::nearest_even, satfinite);
}

template <class Integer>
Integer rounded_integer(double value) {
  constexpr double least = std::numeric_limits<Integer>::min();
  constexpr double most = std::numeric_limits<Integer>::max();
  if (value != value) return 0;
  return static_cast<Integer>(std::clamp(std::nearbyint(value), least, most));
}

// Calls `action` with a function that makes a number of an element of this type.
template <class Action>
void with_reader(Type type, Action&& action) {
  switch (type) {
    case Type::f64:
      return action([](const std::byte* from) { return read<double>(from); });
    case Type::f16:
      return action(
          [](const std::byte* from) { return double{f32_from_f16(read<std::uint16_t>(from))}; });
    case Type::bf16:
      return action(
          [](const std::byte* from) { return double{f32_from_bf16(read<std::uint16_t>(from))}; });
    case Type::s8:
      return action(
          [](const std::byte* from) { return static_cast<double>(read<std::int8_t>(from)); });
    case Type::s32:
      return action(
          [](const std::byte* from) { return static_cast<double>(read<std::int32_t>(from)); });
    case Type::e4m3:
      return action([&numbers = e4m3_numbers()](const std::byte* from) {
        return numbers[read<std::uint8_t>(from)];
      });
    case Type::e5m2:
      return action([&numbers = e5m2_numbers()](const std::byte* from) {
        return numbers[read<std::uint8_t>(from)];
      });
    case Type::f32:
      return action([](const std::byte* from) { return double{read<float>(from)}; });
  }
}

template <class Code>
Code for_matrix_units(Code code) {
  return code;
}

// Seen on an H200: cuBLAS rounds ties to even, unlike cvt.rna.tf32.
std::uint32_t for_matrix_units(std::uint32_t f32) {
  constexpr std::uint32_t unused = 0x1fff, infinity = 0x7f80'0000;
  if ((f32 & infinity) == infinity) return f32;
  return f32 + unused / 2 + (f32 >> 13 & 1);
}

template <class Code>
void pack_codes(const Part& part, std::size_t lines, std::size_t length, std::byte* to) {
  const std::byte* const start = part.start;
  const std::size_t line_bytes = part.line_stride * sizeof(Code);
  const std::size_t step_bytes = part.step_stride * sizeof(Code);
  for (std::size_t first = 0; first < part.steps; first += length) {
    const std::size_t count = std::min(length, part.steps - first);
    for (std::size_t line = 0; line < part.lines; ++line, to += length * sizeof(Code)) {
      const std::byte* const from = start + line * line_bytes + first * step_bytes;
      for (std::size_t i = 0; i < count; ++i) {
        write(for_matrix_units(read<Code>(from + i * step_bytes)), to + i * sizeof(Code));
      }
      std::memset(to + count * sizeof(Code), 0, (length - count) * sizeof(Code));
    }
    const std::size_t missing = (lines - part.lines) * length * sizeof(Code);
    std::memset(to, 0, missing);
    to += missing;
  }
}

}  // namespace

double load(Type type, const std::byte* from) {
  double number = 0;
  with_reader(type, [&](auto reader) { number = reader(from); });
  return number;
}

void store(Type type, double value, std::byte* to) {
  switch (type) {
    case Type::f64:
      return write(value, to);
    case Type::f32:
      // A GPU has one NaN.
      return write(value == value ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                  : static_cast<std::uint32_t>(float_format::f32.nan),
                   to);
    case Type::f16:
      return write(static_cast<std::uint16_t>(rounded(float_format::f16, value)), to);
    case Type::bf16:
      return write(static_cast<std::uint16_t>(rounded(float_format::bf16, value)), to);
    case Type::e4m3:
      return write(static_cast<std::uint8_t>(rounded(float_format::e4m3, value, true)), to);
    case Type::e5m2:
      return write(static_cast<std::uint8_t>(rounded(float_format::e5m2, value, true)), to);
    case Type::s8:
      return write(rounded_integer<std::int8_t>(value), to);
    case Type::s32:
      return write(rounded_integer<std::int32_t>(value), to);
  }
}

void store(Type type, float value, std::byte* to) {
  if (type == Type::bf16) return write(bf16_from_f32(value), to);
  if (type == Type::f16) return write(f16_from_f32(value), to);
  store(type, double{value}, to);
}

template <class Number>
void pack(const Part& part, std::size_t width, Number* to) {
  const std::size_t size = size_of(part.type);
  with_reader(part.type, [&](auto reader) {
    for (std::size_t first = 0; first < part.lines; first += width, to += width * part.steps) {
      const std::size_t lines = std::min(width, part.lines - first);
      if (lines < width) std::fill_n(to, width * part.steps, Number{});
      const std::byte* const from = part.start + first * part.line_stride * size;
      if (part.line_stride == 1) {
        for (std::size_t step = 0; step < part.steps; ++step) {
          const std::byte* const beside = from + step * part.step_stride * size;
          for (std::size_t line = 0; line < lines; ++line) {
            to[step * width + line] = static_cast<Number>(reader(beside + line * size));
          }
        }
      } else {
        for (std::size_t line = 0; line < lines; ++line) {
          const std::byte* const along = from + line * part.line_stride * size;
          for (std::size_t step = 0; step < part.steps; ++step) {
            to[step * width + line] =
                static_cast<Number>(reader(along + step * part.step_stride * size));
          }
        }
      }
    }
  });
}

template void pack(const Part&, std::size_t, float*);
template void pack(const Part&, std::size_t, double*);

void pack_bits(const Part& part, std::size_t lines, std::size_t length, std::byte* to) {
  switch (size_of(part.type)) {
    case 4:
      return pack_codes<std::uint32_t>(part, lines, length, to);
    case 2:
      return pack_codes<std::uint16_t>(part, lines, length, to);
    default:
      return pack_codes<std::uint8_t>(part, lines, length, to);
  }
}

}  // namespace tmaemu::blas
