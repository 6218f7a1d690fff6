// Matrices as cuBLAS describes them, once it is known where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tmaemu::blas {

// Values equal cudaDataType's.
enum class Type : int {
  f32 = 0,
  f64 = 1,
  f16 = 2,
  s8 = 3,
  s32 = 10,
  bf16 = 14,
  e4m3 = 28,
  e5m2 = 29,
};

constexpr std::size_t size_of(Type type) {
  switch (type) {
    case Type::f64:
      return 8;
    case Type::f32:
    case Type::s32:
      return 4;
    case Type::f16:
    case Type::bf16:
      return 2;
    default:
      return 1;
  }
}

constexpr bool is_fp8(Type type) {
  return type == Type::e4m3 || type == Type::e5m2;
}

// What factors of f32 are rounded to before they are multiplied.
enum class Factors : std::uint8_t { as_they_are, tf32 };

// Element (row, column) at start + row * row_stride + column * column_stride, in elements. Either
// stride may be the larger one, so a transposed matrix is one with its strides exchanged.
template <class Byte>
struct ViewOf {
  Byte* start = nullptr;
  Type type = Type::f32;
  std::size_t row_stride = 1;
  std::size_t column_stride = 0;

  Byte* at(std::size_t row, std::size_t column) const {
    return start + (row * row_stride + column * column_stride) * size_of(type);
  }
};
using View = ViewOf<std::byte>;
using ConstView = ViewOf<const std::byte>;

// Whether every line of the matrix begins at a multiple of 16 bytes, as TMA needs it.
template <class Byte>
bool is_aligned(const ViewOf<Byte>& view) {
  const std::size_t stride = std::max(view.row_stride, view.column_stride) * size_of(view.type);
  return (reinterpret_cast<std::uintptr_t>(view.start) | stride) % 16 == 0;
}

}  // namespace tmaemu::blas
