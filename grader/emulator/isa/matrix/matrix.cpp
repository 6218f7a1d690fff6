// PTX ISA, "Warp Level Matrix Instructions": ldmatrix, stmatrix and movmatrix, which move 8x8
// matrices of 16-bit elements. They compute nothing: that is left to mma.
#include <array>
#include <cstring>

#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/warp_access.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

using Kind = events::Access::Kind;

constexpr unsigned matrix_rows = 8;
constexpr unsigned row_bytes = 16;

// A matrix as elements; a lane's fragment is two neighbors of a row: row lane/4, column
// 2*(lane%4).
using Matrix = std::array<std::array<u16, 8>, matrix_rows>;

u32 fragment(const Matrix& matrix, unsigned lane, bool transposed) {
  const unsigned row = lane / 4;
  const unsigned column = 2 * (lane % 4);
  const u16 low = transposed ? matrix[column][row] : matrix[row][column];
  const u16 high = transposed ? matrix[column + 1][row] : matrix[row][column + 1];
  return u32{high} << 16 | low;
}
void set_fragment(Matrix& matrix, unsigned lane, bool transposed, u32 value) {
  const unsigned row = lane / 4;
  const unsigned column = 2 * (lane % 4);
  (transposed ? matrix[column][row] : matrix[row][column]) = static_cast<u16>(value);
  (transposed ? matrix[column + 1][row] : matrix[row][column + 1]) = static_cast<u16>(value >> 16);
}

struct MatrixForm {
  MemoryAccess address;
  std::array<Slot, 4> registers{};
  unsigned count = 1;
  bool transposed = false;
};

// Lanes 8*i to 8*i+7 hold the addresses of the rows of matrix i.
LaneMask row_lanes(const MatrixForm& form) {
  return all_lanes >> (warp_size - form.count * matrix_rows);
}

const Operation* load_matrices(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const MatrixForm*>(op.detail);
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  const WarpAccess rows(warp, op, form.address, row_lanes(form), {Kind::matrix_load, row_bytes});
  std::array<Matrix, 4> matrices;
  for (unsigned i = 0; i < form.count; ++i) {
    for (unsigned row = 0; row < matrix_rows; ++row) {
      std::memcpy(matrices[i][row].data(), rows.place(i * matrix_rows + row).bytes, row_bytes);
    }
  }
  for (unsigned i = 0; i < form.count; ++i) {
    u32* const d = warp.lanes<u32>(form.registers[i]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      d[lane] = fragment(matrices[i], lane, form.transposed);
    }
  }
  return next;
}

const Operation* store_matrices(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& form = *static_cast<const MatrixForm*>(op.detail);
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  const WarpAccess rows(warp, op, form.address, row_lanes(form), {Kind::matrix_store, row_bytes});
  for (unsigned i = 0; i < form.count; ++i) {
    Matrix matrix;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      set_fragment(matrix, lane, form.transposed, warp.lanes<u32>(form.registers[i])[lane]);
    }
    for (unsigned row = 0; row < matrix_rows; ++row) {
      const unsigned lane = i * matrix_rows + row;
      const Place place = rows.place(lane);
      std::memcpy(place.bytes, matrix[row].data(), row_bytes);
      if (place.shared_of == nullptr) continue;
      place.shared_of->shared.note_write(place.shared_offset, row_bytes, warp.thread(lane),
                                         warp.cta().cluster.causality().now());
    }
  }
  return next;
}

const Operation* transpose(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  Matrix matrix;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    set_fragment(matrix, lane, false, warp.lanes<u32>(op.a)[lane]);
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    warp.lanes<u32>(op.d)[lane] = fragment(matrix, lane, true);
  }
  return next;
}

// {ld,st}matrix.sync.aligned.m8n8.num{.trans}{.shared{::cta}}.b16
template <bool loads>
void decode_matrices(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  static constexpr Choice<unsigned> counts[] = {{"x1", 1}, {"x2", 2}, {"x4", 4}};
  for (const std::string_view name : {"sync", "aligned", "m8n8", "b16"}) instruction.require(name);
  MatrixForm form;
  form.count = instruction.require_one_of(counts, "number of matrices");
  form.transposed = instruction.take("trans");
  form.address.space = space_of(instruction.take_one_of({"shared", "shared::cta"}));
  instruction.expect_operands(2);
  const auto fragments = elements_of(instruction.operand(loads ? 0 : 1));
  if (fragments.size() != form.count) refuse("has an unexpected number of registers");
  for (unsigned i = 0; i < form.count; ++i) {
    form.registers[i] =
        loads ? decoder.destination(fragments[i], 4) : decoder.source(fragments[i], 4);
  }
  decoder.memory(instruction.operand(loads ? 1 : 0),
                 loads ? Effects::Memory::load : Effects::Memory::store, form.address);
  decoder.effects().space = Effects::Space::shared;  // a generic address, too, is one of these
  op.detail = decoder.program().keep(form);
  op.execute = loads ? load_matrices : store_matrices;
}

void decode_transpose(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  for (const std::string_view name : {"sync", "aligned", "m8n8", "trans", "b16"}) {
    instruction.require(name);
  }
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.execute = transpose;
}

constexpr Definition table[] = {
    {"ldmatrix", decode_matrices<true>},
    {"stmatrix", decode_matrices<false>},
    {"movmatrix", decode_transpose},
};

}  // namespace

std::span<const Definition> matrix_definitions() {
  return table;
}

}  // namespace tmaemu
