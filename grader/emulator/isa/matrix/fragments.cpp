#include "emulator/isa/matrix/fragments.h"

#include <array>
#include <bit>
#include <cstring>

#include "common/half.h"

namespace tmaemu {
namespace {

// Where the elements of a piece of C or D are: of lane 0's first one, and how far it is to the
// second one, to those of the next line and to those of the next lane of the line.
struct PieceOfSums {
  std::size_t first;
  std::size_t to_second, to_next_line, to_next_lane;

  PieceOfSums(const Fragment& fragment, unsigned cell, unsigned n) {
    const std::size_t along = fragment.is_transposed ? n : 1;
    const std::size_t across = fragment.is_transposed ? 1 : n;
    first = fragment.line(0, cell) * across + 2 * fragment.place(0, cell) * along;
    to_second = along;
    to_next_line = across;
    to_next_lane = 2 * along;
  }
};

// Calls visit(lane, index of the cell's first element), lane by lane.
template <class Visit>
void for_lanes_of(const PieceOfSums& piece, Visit visit) {
  for (unsigned g = 0; g < Fragment::lines_of_piece; ++g) {
    for (unsigned t = 0; t < Fragment::lanes_of_line; ++t) {
      visit(g * Fragment::lanes_of_line + t,
            piece.first + g * piece.to_next_line + t * piece.to_next_lane);
    }
  }
}

// What the lanes of a line hold of it: of two registers, by turns. A shuffle names its places in
// two vectors, one behind the other.
template <class T>
struct LineOfSums {
  typedef T Four __attribute__((vector_size(Fragment::lanes_of_line * sizeof(T))));
  Four first, second;

  static LineOfSums in_registers(const T* first, const T* second) {
    return {load(first), load(second)};
  }
  static LineOfSums in_row(const T* row) {
    const Four left = load(row), right = load(row + Fragment::lanes_of_line);
    return {__builtin_shufflevector(left, right, 0, 2, 4, 6),
            __builtin_shufflevector(left, right, 1, 3, 5, 7)};
  }
  void to_registers(T* to_first, T* to_second) const {
    store(first, to_first);
    store(second, to_second);
  }
  void to_row(T* row) const {
    store(__builtin_shufflevector(first, second, 0, 4, 1, 5), row);
    store(__builtin_shufflevector(first, second, 2, 6, 3, 7), row + Fragment::lanes_of_line);
  }

 private:
  static Four load(const T* from) {
    Four four;
    std::memcpy(&four, from, sizeof four);
    return four;
  }
  static void store(Four four, T* to) { std::memcpy(to, &four, sizeof four); }
};

// Accumulators that have a register each. Where the lines are rows, a line is a vector.
template <class T>
void gather_whole(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                  unsigned n, T* sums) {
  for (unsigned cell = 0; cell < fragment.cells; ++cell) {
    const PieceOfSums piece(fragment, cell, n);
    const T* const first = frame.lanes<T>(registers[2 * cell]);
    const T* const second = frame.lanes<T>(registers[2 * cell + 1]);
    if (!fragment.is_transposed) {
      for (unsigned g = 0; g < Fragment::lines_of_piece; ++g) {
        const unsigned lane = g * Fragment::lanes_of_line;
        LineOfSums<T>::in_registers(first + lane, second + lane)
            .to_row(sums + piece.first + g * piece.to_next_line);
      }
      continue;
    }
    for_lanes_of(piece, [&](unsigned lane, std::size_t at) {
      sums[at] = first[lane];
      sums[at + piece.to_second] = second[lane];
    });
  }
}
template <class T>
void scatter_whole(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                   unsigned n, const T* sums) {
  for (unsigned cell = 0; cell < fragment.cells; ++cell) {
    const PieceOfSums piece(fragment, cell, n);
    T* const first = frame.lanes<T>(registers[2 * cell]);
    T* const second = frame.lanes<T>(registers[2 * cell + 1]);
    if (!fragment.is_transposed) {
      for (unsigned g = 0; g < Fragment::lines_of_piece; ++g) {
        const unsigned lane = g * Fragment::lanes_of_line;
        LineOfSums<T>::in_row(sums + piece.first + g * piece.to_next_line)
            .to_registers(first + lane, second + lane);
      }
      continue;
    }
    for_lanes_of(piece, [&](unsigned lane, std::size_t at) {
      first[lane] = sums[at];
      second[lane] = sums[at + piece.to_second];
    });
  }
}

// Of registers of a size that is known here, so that a line is one or two vectors.
template <unsigned register_bytes>
void gather_registers(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                      std::byte* rows, unsigned row_bytes) {
  constexpr unsigned piece_bytes = Fragment::lanes_of_line * register_bytes;  // of a line
  for (unsigned cell = 0; cell < fragment.cells; ++cell) {
    const std::byte* from = frame.lanes<std::byte>(registers[cell]);
    std::byte* to = rows + std::size_t{fragment.line(0, cell)} * row_bytes +
                    std::size_t{fragment.place(0, cell)} * register_bytes;
    for (unsigned g = 0; g < Fragment::lines_of_piece; ++g) {
      std::memcpy(to, from, piece_bytes);
      from += piece_bytes;
      to += row_bytes;
    }
  }
}

u32 widened(u32 half) {
  return std::bit_cast<u32>(f32_from_f16(static_cast<u16>(half)));
}
u32 narrowed(u32 sum) {
  return f16_from_f32(std::bit_cast<f32>(sum));
}

}  // namespace

void gather_factors(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                    unsigned register_bytes, std::byte* rows, unsigned row_bytes) {
  if (register_bytes == 8) return gather_registers<8>(frame, fragment, registers, rows, row_bytes);
  gather_registers<4>(frame, fragment, registers, rows, row_bytes);
}

void gather_sums(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                 tensor::Accumulator type, unsigned n, u32* sums) {
  if (type != tensor::Accumulator::f16) return gather_whole(frame, fragment, registers, n, sums);
  for (unsigned cell = 0; cell < fragment.cells; ++cell) {
    const PieceOfSums piece(fragment, cell, n);
    const u32* const pair = frame.lanes<u32>(registers[cell]);
    for_lanes_of(piece, [&](unsigned lane, std::size_t at) {
      sums[at] = widened(pair[lane] & 0xffff);
      sums[at + piece.to_second] = widened(pair[lane] >> 16);
    });
  }
}

void scatter_sums(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                  tensor::Accumulator type, unsigned n, const u32* sums) {
  if (type != tensor::Accumulator::f16) return scatter_whole(frame, fragment, registers, n, sums);
  for (unsigned cell = 0; cell < fragment.cells; ++cell) {
    const PieceOfSums piece(fragment, cell, n);
    u32* const pair = frame.lanes<u32>(registers[cell]);
    for_lanes_of(piece, [&](unsigned lane, std::size_t at) {
      pair[lane] = narrowed(sums[at]) | narrowed(sums[at + piece.to_second]) << 16;
    });
  }
}

void gather_sums_f64(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                     unsigned n, f64* sums) {
  gather_whole(frame, fragment, registers, n, sums);
}
void scatter_sums_f64(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                      unsigned n, const f64* sums) {
  scatter_whole(frame, fragment, registers, n, sums);
}

}  // namespace tmaemu
