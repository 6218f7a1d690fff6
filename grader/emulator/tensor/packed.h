// Rows of elements as registers and shared memory hold them: one after another, the first in the
// lowest bits. A row of B is a column of the matrix, so that k runs along it as along A's.
#pragma once

#include <cstddef>
#include <cstring>

#include "emulator/tensor/product.h"

namespace tmaemu::tensor {

struct PackedRows {
  const std::byte* bytes = nullptr;
  unsigned row_bytes = 0;  // one row lies behind the other

  const std::byte* row(unsigned i) const { return bytes + std::size_t{i} * row_bytes; }
};

template <class T>
T element_at(const std::byte* row, unsigned i) {
  T value;
  std::memcpy(&value, row + i * sizeof(T), sizeof(T));
  return value;
}

// The bits of element i of a row, of at most 32.
inline u32 code_at(Element type, const std::byte* row, unsigned i) {
  switch (bits_of(type)) {
    case 32:
      return element_at<u32>(row, i);
    case 16:
      return element_at<u16>(row, i);
    case 8:
      return element_at<u8>(row, i);
    case 4:
      return element_at<u8>(row, i / 2) >> 4 * (i % 2) & 0xf;
    default:
      return element_at<u8>(row, i / 8) >> i % 8 & 1;
  }
}

// The same of an integer.
inline s32 integer_at(Element type, const std::byte* row, unsigned i) {
  const u32 code = code_at(type, row, i);
  if (type == Element::s8) return static_cast<s8>(code);
  if (type == Element::s4) return static_cast<s32>(code ^ 8) - 8;
  return static_cast<s32>(code);
}

// Which of B's elements each kept element of a sparse A meets: by row of A, then in the order in
// which the elements are kept. Empty where A is dense: each meets its own.
struct KeptColumns {
  const u8* columns = nullptr;
  unsigned per_row = 0;

  const u8* row(unsigned i) const { return columns + std::size_t{i} * per_row; }
};

}  // namespace tmaemu::tensor
