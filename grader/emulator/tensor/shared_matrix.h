// Where the elements of a matrix lie in shared memory, as the descriptors of wgmma say it.
// PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" and "Matrix Descriptor
// Format". Which of the two offsets means what in which layout was measured on an H100.
//
// A line is a row of A or a column of B, so that k runs along it. Elements lie in units of 16
// bytes, and eight units are a core matrix: of eight lines, or, where the matrix is transposed, of
// eight k.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/memory/swizzle.h"
#include "emulator/numeric/types.h"

namespace tmaemu::tensor {

// The fields of a descriptor, in bytes.
struct MatrixDescriptor {
  u32 start = 0;    // shared address, of 18 bits
  u32 leading = 0;  // "leading dimension byte offset"
  u32 stride = 0;   // "stride dimension byte offset"
  u32 base_offset = 0;
  Swizzle swizzle = Swizzle::none;

  explicit MatrixDescriptor(u64 bits);
};

class SharedMatrix {
 public:
  static constexpr u32 unit_bytes = 16;

  // `is_transposed`: a unit holds neighboring lines and not neighboring k, which elements of 16
  // bits may do.
  SharedMatrix(const MatrixDescriptor& descriptor, bool is_transposed)
      : descriptor_(descriptor),
        is_transposed_(is_transposed),
        units_of_atom_(swizzle_span(descriptor.swizzle) / unit_bytes) {}

  // The address of the byte of a line that elements of ascending k fill from 0 on.
  u32 address(u32 line, u32 byte) const;

  // The address of a unit: in a transposed matrix of the element with this k in 8 lines from
  // 8 * `lines` on; else of bytes [16 * unit, 16 * unit + 16) of a line.
  u32 transposed_unit(u32 lines, u32 k) const {
    return swizzled(descriptor_.start + lines % units_of_atom_ * unit_bytes +
                    lines / units_of_atom_ * far_lines() + k % 8 * atom_bytes() +
                    k / 8 * far_places());
  }
  u32 unit(u32 line, u32 unit) const {
    const u32 place = is_swizzled() ? unit * unit_bytes : unit * descriptor_.leading;
    return swizzled(descriptor_.start + line / 8 * descriptor_.stride + line % 8 * atom_bytes() +
                    place);
  }

  // Calls visit(address) for the units of so many lines of `bytes` bytes, from `first_line` on.
  template <class Visit>
  void for_each_unit(u32 first_line, u32 lines, u32 bytes, Visit visit) const;

  // The lines, one after another, as PackedRows hold them. `memory`: the byte at address 0.
  void pack(const std::byte* memory, u32 first_line, u32 lines, u32 bytes, std::byte* rows) const;

  // Whether the offset counts in a matrix of so many lines. Of k, a line has more than eight where
  // the matrix is transposed, and two units or more where it is not.
  bool uses_leading(u32 lines) const {
    if (!is_swizzled()) return true;
    return is_transposed_ && lines > units_of_atom_ * lines_of_unit;
  }
  bool uses_stride(u32 lines) const { return is_transposed_ || lines > 8; }

  bool is_transposed() const { return is_transposed_; }
  const MatrixDescriptor& descriptor() const { return descriptor_; }

 private:
  static constexpr u32 element_bytes = 2;  // of a transposed matrix
  static constexpr u32 lines_of_unit = unit_bytes / element_bytes;

  bool is_swizzled() const { return descriptor_.swizzle != Swizzle::none; }
  u32 atom_bytes() const { return units_of_atom_ * unit_bytes; }
  // Of a transposed matrix: from the lines of one atom to those of the next, and from eight k to
  // the next eight.
  u32 far_lines() const { return is_swizzled() ? descriptor_.leading : descriptor_.stride; }
  u32 far_places() const { return is_swizzled() ? descriptor_.stride : descriptor_.leading; }
  // As TMA's swizzle, with the pattern moved by the base offset.
  u32 swizzled(u32 address) const {
    const u32 line_bits = units_of_atom_ - 1;
    return address ^ ((((address >> 7) - descriptor_.base_offset) & line_bits) << 4);
  }

  MatrixDescriptor descriptor_;
  bool is_transposed_;
  u32 units_of_atom_;
};

template <class Visit>
void SharedMatrix::for_each_unit(u32 first_line, u32 lines, u32 bytes, Visit visit) const {
  if (!is_transposed_) {
    for (u32 line = first_line; line < first_line + lines; ++line) {
      for (u32 i = 0; i < bytes / unit_bytes; ++i) visit(unit(line, i));
    }
    return;
  }
  for (u32 i = first_line / lines_of_unit; i < (first_line + lines) / lines_of_unit; ++i) {
    for (u32 k = 0; k < bytes / element_bytes; ++k) visit(transposed_unit(i, k));
  }
}

}  // namespace tmaemu::tensor
