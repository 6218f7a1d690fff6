// wmma: every form, with matrices in global and in shared memory.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/emulator/matrix_test_support.h"

namespace tmaemu::testing {
namespace {

// --- wmma: matrices in memory ---

// "wmma.load.a.sync.aligned.col.m16n16k16.shared.f16 {...}, [%v0+2048], 24;"
struct InMemory {
  bool is_row_major;
  unsigned area;    // of four of 2048 bytes
  unsigned stride;  // elements
};
InMemory in_memory(const std::string& ptx, const std::string& name) {
  std::smatch match;
  const std::regex pattern(name + R"(\.sync\.aligned\.(row|col)\.[^\n]*\+(\d+)\][^\n]* (\d+);)");
  if (!std::regex_search(ptx, match, pattern)) ADD_FAILURE() << name << " is not in\n" << ptx;
  return {match[1] == "row", static_cast<unsigned>(std::stoul(match[2])) / 2048,
          static_cast<unsigned>(std::stoul(match[3]))};
}

Bits element_in_memory(const std::vector<std::byte>& area, const InMemory& matrix, unsigned bits,
                       unsigned row, unsigned column) {
  const std::size_t element = matrix.is_row_major ? std::size_t{row} * matrix.stride + column
                                                  : std::size_t{column} * matrix.stride + row;
  Bits word = 0;
  std::memcpy(&word, area.data() + element * bits / 8, (bits + 7) / 8);
  return word >> element * bits % 8 & ~Bits{0} >> (64 - bits);
}

// The thread's i-th word of an area lies behind those of the other lanes.
std::vector<std::byte> area_of(const WarpWords& words, unsigned word) {
  std::vector<Bits> area;
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) area.push_back(words.at(lane, word + i));
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(area.data());
  return {bytes, bytes + area.size() * sizeof(Bits)};
}

unsigned wrong_results_of_wmma(const MatrixForm& form, MatrixValues values) {
  const RandomProgram program = conformance::matrix_program(form, values, 7);
  const std::vector<Bits> results = results_of(program);
  const std::size_t threads = std::size_t{program.ctas} * program.threads;
  const InMemory a = in_memory(program.ptx, "wmma.load.a"),
                 b = in_memory(program.ptx, "wmma.load.b");
  const InMemory c = in_memory(program.ptx, "wmma.load.c");
  const InMemory d = in_memory(program.ptx, "wmma.store.d");
  unsigned wrong = 0;
  for (std::size_t first = 0; first < threads; first += warp_size) {
    const WarpWords inputs{program.inputs, 24, 0, first};
    const WarpWords outputs{results, 0, threads, first};
    Matrices matrices(form);
    const auto bits = [](const std::string& type) { return Matrices::bits_of(type); };
    const auto area_of_a = area_of(inputs, 8 * a.area), area_of_b = area_of(inputs, 8 * b.area);
    const auto area_of_c = area_of(inputs, 8 * c.area);
    for (unsigned k = 0; k < form.k; ++k) {
      for (unsigned m = 0; m < form.m; ++m) {
        matrices.a.set(m, k, element_in_memory(area_of_a, a, bits(form.a), m, k));
      }
      for (unsigned n = 0; n < form.n; ++n) {
        matrices.b.set(n, k, element_in_memory(area_of_b, b, bits(form.b), k, n));
      }
    }
    for (unsigned m = 0; m < form.m; ++m) {
      for (unsigned n = 0; n < form.n; ++n) {
        matrices.c.set(m, n, element_in_memory(area_of_c, c, bits(form.c), m, n));
      }
    }
    const unsigned rounds = form.c == form.d ? 2 : 1;
    Rows result = expected(form, matrices);
    if (rounds == 2) {
      matrices.c = result;
      result = expected(form, matrices);
    }
    // The last checkpoints are what is in memory.
    const auto area = area_of(outputs, program.checkpoints - 8);
    for (unsigned m = 0; m < form.m; ++m) {
      for (unsigned n = 0; n < form.n; ++n) {
        if (element_in_memory(area, d, bits(form.d), m, n) != result.get(m, n)) ++wrong;
      }
    }
  }
  return wrong;
}

TEST(Wmma, OfEveryFormGivesWhatEachElementByItselfGives) {
  expect_right([](const MatrixForm& form) { return form.is_wmma; }, wrong_results_of_wmma);
}

}  // namespace
}  // namespace tmaemu::testing
