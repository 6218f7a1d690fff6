// mma and mma.sp: every form, with fragments as the figures of PTX ISA have them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/emulator/matrix_test_support.h"

namespace tmaemu::testing {
namespace {

// --- mma: fragments ---

unsigned register_bits(const std::string& type) {
  return type == "f64" ? 64 : 32;
}
unsigned registers_for(unsigned elements, const std::string& type) {
  return elements * Matrices::bits_of(type) / (warp_size * register_bits(type));
}

struct At {
  unsigned row, column;
};

// Where an element is: the j-th of a lane's register. PTX ISA, "Matrix Fragments for mma.m8n8k4",
// "mma.m16n8k16" and others. `e`: elements of a register.
At of_a(const MatrixForm& form, unsigned lane, unsigned r, unsigned j, unsigned e) {
  const unsigned group = lane / 4, in_group = lane % 4;
  if (form.m == 8) return {group, e * (4 * r + in_group) + j};
  return {group + 8 * (r % 2), e * (4 * (r / 2) + in_group) + j};
}
At of_b(unsigned lane, unsigned r, unsigned j, unsigned e) {
  return {e * (4 * r + lane % 4) + j, lane / 4};
}
At of_c(unsigned lane, unsigned r, unsigned j, unsigned e) {
  const unsigned i = r * e + j;
  return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
}

// Calls visit(lane, register, j, code) for each element of `registers` registers from `word` on.
template <class Visit>
void for_elements(const WarpWords& words, unsigned word, unsigned registers,
                  const std::string& type, Visit visit) {
  const unsigned bits = Matrices::bits_of(type), count = register_bits(type) / bits;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned r = 0; r < registers; ++r) {
      for (unsigned j = 0; j < count; ++j) {
        visit(lane, r, j, words.at(lane, word + r) >> j * bits & ~Bits{0} >> (64 - bits), count);
      }
    }
  }
}

// PTX ISA, "Sparse matrix storage": what a lane's metadata are about. One that is not selected has
// none.
struct Chunk {
  unsigned row, chunk;
  bool is_there;
};
Chunk chunk_of(const MatrixForm& form, unsigned lane, unsigned nibble) {
  const unsigned bits = Matrices::bits_of(form.a);
  const unsigned chunks = form.k / (bits == 32 ? 2 : bits == 4 ? 8 : 4);
  const unsigned group = lane / 4, in_group = lane % 4;
  if (chunks == 4) return {group + 8 * (nibble / 4), nibble % 4, in_group == form.selector};
  if (chunks == 16) return {group + 8 * (in_group % 2), 8 * (in_group / 2) + nibble, true};
  const bool is_selected = in_group / 2 == form.selector;
  if (bits <= 8) return {group + 8 * (in_group % 2), nibble, is_selected};
  return {group + 8 * (nibble / 4), 4 * (in_group % 2) + nibble % 4, is_selected};
}

void set_kept(const MatrixForm& form, const WarpWords& words, unsigned word, Matrices& matrices) {
  const unsigned bits = Matrices::bits_of(form.a), kept = form.k / 2;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned nibble = 0; nibble < 8; ++nibble) {
      const Chunk at = chunk_of(form, lane, nibble);
      if (!at.is_there) continue;
      const unsigned code = words.at(lane, word) >> 4 * nibble & 15;
      const unsigned first = code & 3, second = code >> 2;
      u8* const row = matrices.kept.data() + at.row * kept;
      if (bits == 32) {
        row[at.chunk] = static_cast<u8>(2 * at.chunk + (code == 0b1110 ? 1 : 0));
      } else if (bits == 4) {
        for (unsigned i = 0; i < 4; ++i) {
          const unsigned pair = i < 2 ? first : second;
          row[4 * at.chunk + i] = static_cast<u8>(8 * at.chunk + 2 * pair + i % 2);
        }
      } else {
        row[2 * at.chunk] = static_cast<u8>(4 * at.chunk + first);
        row[2 * at.chunk + 1] = static_cast<u8>(4 * at.chunk + second);
      }
    }
  }
}

// The program's inputs are the registers of A, B and C, then the metadata.
unsigned wrong_results_of_mma(const MatrixForm& form, MatrixValues values) {
  const RandomProgram program = conformance::matrix_program(form, values, 7);
  const std::vector<Bits> results = results_of(program);
  const std::size_t threads = std::size_t{program.ctas} * program.threads;
  const unsigned kept = form.is_sparse ? form.k / 2 : form.k;
  const unsigned a = registers_for(form.m * kept, form.a);
  const unsigned b = registers_for(form.n * form.k, form.b);
  const unsigned c = registers_for(form.m * form.n, form.c);
  unsigned wrong = 0;
  for (std::size_t first = 0; first < threads; first += warp_size) {
    const WarpWords inputs{program.inputs, a + b + c + 1u, 0, first};
    const WarpWords outputs{results, 0, threads, first};
    Matrices matrices(form);
    for_elements(inputs, 0, a, form.a, [&](auto lane, auto r, auto j, Bits code, auto e) {
      const At at = of_a(form, lane, r, j, e);
      matrices.a.set(at.row, at.column, code);
    });
    for_elements(inputs, a, b, form.b, [&](auto lane, auto r, auto j, Bits code, auto e) {
      const At at = of_b(lane, r, j, e);
      matrices.b.set(at.column, at.row, code);
    });
    for_elements(inputs, a + b, c, form.c, [&](auto lane, auto r, auto j, Bits code, auto e) {
      const At at = of_c(lane, r, j, e);
      matrices.c.set(at.row, at.column, code);
    });
    if (form.is_sparse) set_kept(form, inputs, a + b + c, matrices);
    for (unsigned round = 0; round < 2; ++round) {
      matrices.c = expected(form, matrices);
      for_elements(outputs, round * c, c, form.d,
                   [&](auto lane, auto r, auto j, Bits code, auto e) {
                     const At at = of_c(lane, r, j, e);
                     if (matrices.c.get(at.row, at.column) != code) ++wrong;
                   });
    }
  }
  return wrong;
}

TEST(Mma, OfEveryFormGivesWhatEachElementByItselfGives) {
  expect_right([](const MatrixForm& form) { return !form.is_wmma && !form.is_sparse; },
               wrong_results_of_mma);
}

TEST(SparseMma, OfEveryFormGivesWhatEachElementByItselfGives) {
  expect_right([](const MatrixForm& form) { return form.is_sparse; }, wrong_results_of_mma);
}

}  // namespace
}  // namespace tmaemu::testing
