#include "emulator/tensor/shared_matrix.h"

#include <array>
#include <cstring>

namespace tmaemu::tensor {
namespace {

// A field of 14 bits that counts units.
u32 offset_at(u64 bits, unsigned position) {
  return static_cast<u32>(bits >> position & 0x3fff) * SharedMatrix::unit_bytes;
}

Swizzle swizzle_of(u64 bits) {
  constexpr std::array modes{Swizzle::none, Swizzle::bytes128, Swizzle::bytes64, Swizzle::bytes32};
  return modes[bits >> 62];
}

}  // namespace

MatrixDescriptor::MatrixDescriptor(u64 bits)
    : start(offset_at(bits, 0)),
      leading(offset_at(bits, 16)),
      stride(offset_at(bits, 32)),
      base_offset(static_cast<u32>(bits >> 49 & 7)),
      swizzle(swizzle_of(bits)) {}

u32 SharedMatrix::address(u32 line, u32 byte) const {
  if (!is_transposed_) return unit(line, byte / unit_bytes) + byte % unit_bytes;
  return transposed_unit(line / lines_of_unit, byte / element_bytes) +
         line % lines_of_unit * element_bytes + byte % element_bytes;
}

void SharedMatrix::pack(const std::byte* memory, u32 first_line, u32 lines, u32 bytes,
                        std::byte* rows) const {
  if (!is_transposed_) {
    for_each_unit(first_line, lines, bytes, [&](u32 address) {
      std::memcpy(rows, memory + address, unit_bytes);
      rows += unit_bytes;
    });
    return;
  }
  for (u32 line = 0; line < lines; line += lines_of_unit) {
    for (u32 byte = 0; byte < bytes; byte += element_bytes) {
      const std::byte* from =
          memory + transposed_unit((first_line + line) / lines_of_unit, byte / element_bytes);
      std::byte* to = rows + std::size_t{line} * bytes + byte;
      for (u32 i = 0; i < lines_of_unit; ++i) {
        std::memcpy(to + std::size_t{i} * bytes, from + i * element_bytes, element_bytes);
      }
    }
  }
}

}  // namespace tmaemu::tensor
