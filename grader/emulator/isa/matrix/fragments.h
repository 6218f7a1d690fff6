// Which lane of a warp holds which elements of a matrix. PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and those of the other shapes, and "Register Fragments" of wgmma; wmma's, which PTX
// leaves open, are Hopper's own.
//
// All of them follow one pattern. A lane's fragment is a row of cells: of A and B a cell is a
// register; of C and D it is two neighboring elements. The cells with one number, of all lanes, are
// a piece of eight lines by four cells: lane 4g+t has line g and cell t. The bits of the cell's
// number say which piece of the matrix that is. Lines are rows of A and columns of B, so that k
// runs along them; of C and D they are rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "emulator/numeric/bits.h"
#include "emulator/numeric/types.h"
#include "emulator/program/access.h"
#include "emulator/sched/frame.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

struct Fragment {
  unsigned cells = 0;  // of a lane
  // Bits of a cell's number that count pieces along the lines. The others count pieces of lines.
  unsigned along = 0;
  bool is_transposed = false;  // of C and D: the lines are columns

  unsigned line(unsigned lane, unsigned cell) const {
    return lane / lanes_of_line + lines_of_piece * gathered_bits(cell, ~along);
  }
  unsigned place(unsigned lane, unsigned cell) const {
    return lane % lanes_of_line + lanes_of_line * gathered_bits(cell, along);
  }

  static constexpr unsigned lines_of_piece = 8;
  static constexpr unsigned lanes_of_line = 4;
};

// Those of a matrix instruction. PackedRows have a row for each line of A and B.
struct Fragments {
  Fragment a, b, c;
};

// `along` of A, C and D where a lane's cells lie in two rows, first one row, then the other.
inline constexpr unsigned but_first_bit = ~1u;
inline constexpr unsigned all_bits = ~0u;

// C and D of 16 rows and n columns: mma.sync's m16n8, and what a warp has of wgmma's m64nN.
constexpr Fragment accumulators_of_16_rows(unsigned n) {
  return {2 * (n / 8), but_first_bit};
}
constexpr Fragment accumulators_of_8_rows(unsigned n) {
  return {n / 8, all_bits};
}
// A of 16 rows, of mma.sync and of a warp's part of wgmma. `registers`: of a lane, of 32 or 64
// bits.
constexpr Fragment factors_of_16_rows(unsigned registers) {
  return {registers, but_first_bit};
}
// A or B of 8 lines.
constexpr Fragment factors_of_8_lines(unsigned registers) {
  return {registers, all_bits};
}

// From registers of `register_bytes` bytes, one a cell, to rows of `row_bytes` bytes that hold
// their elements in the matrix's order.
void gather_factors(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                    unsigned register_bytes, std::byte* rows, unsigned row_bytes);

// How many registers hold `cells` cells of accumulators: an f16 shares its register with its
// neighbor.
constexpr unsigned accumulator_registers(tensor::Accumulator type, unsigned cells) {
  return type == tensor::Accumulator::f16 ? cells : 2 * cells;
}
constexpr unsigned accumulator_register_bytes(tensor::Accumulator type) {
  return type == tensor::Accumulator::f64 ? 8 : 4;
}

// Accumulators from and to registers: the element at (row, column) is sums[row * n + column], in
// the form that tensor::multiply() takes: bits of 32, or an f16 as the f32 of its value. Not for
// f64.
void gather_sums(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                 tensor::Accumulator type, unsigned n, u32* sums);
void scatter_sums(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                  tensor::Accumulator type, unsigned n, const u32* sums);

// The same of f64.
void gather_sums_f64(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                     unsigned n, f64* sums);
void scatter_sums_f64(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                      unsigned n, const f64* sums);

}  // namespace tmaemu
