// Whole matrix instructions against sums of one element each: every form of mma and wmma, with
// fragments as the figures of PTX ISA have them.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/numeric/half.h"
#include "emulator/tensor/dot.h"
#include "tests/conformance/matrix_forms.h"
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

using conformance::MatrixForm;
using conformance::MatrixValues;
using conformance::RandomProgram;
using tensor::Accumulator;
using tensor::Element;

// --- Running a program of the conformance suite ---

// A word of each thread at each checkpoint.
std::vector<Bits> results_of(const RandomProgram& program) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(program.ptx);
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return {};
  }
  const std::size_t threads = std::size_t{program.ctas} * program.threads;
  const DeviceBuffer inputs(8 * program.inputs.size()), memory(program.memory_bytes);
  const DeviceBuffer results(8 * threads * program.checkpoints);
  std::ranges::copy(program.inputs, inputs.host());
  const std::uint64_t parameters[] = {inputs.address(), results.address(), memory.address(), 0};
  LaunchRequest request;
  request.grid.x = program.ctas;
  request.block.x = program.threads;
  request.parameters = std::as_bytes(std::span(parameters));
  EXPECT_EQ(device.launch(*device.find_kernel(*module, "program"), request),
            LaunchOutcome::completed);
  std::vector<Bits> words(results.host(), results.host() + threads * program.checkpoints);
  device.unload(*module);
  return words;
}

// --- What the form is ---

Element element_of(const std::string& name) {
  static const std::pair<const char*, Element> all[] = {
      {"f16", Element::f16},   {"bf16", Element::bf16}, {"tf32", Element::tf32},
      {"e4m3", Element::e4m3}, {"e5m2", Element::e5m2}, {"f64", Element::f64},
      {"s8", Element::s8},     {"u8", Element::u8},     {"s4", Element::s4},
      {"u4", Element::u4},     {"b1", Element::b1}};
  return std::ranges::find(all, name, [](const auto& one) { return std::string(one.first); })
      ->second;
}

Rounding rounding_of(const std::string& mnemonic) {
  const auto has = [&](const char* name) { return mnemonic.find(name) != std::string::npos; };
  return has(".rz.")   ? Rounding::toward_zero
         : has(".rm.") ? Rounding::down
         : has(".rp.") ? Rounding::up
                       : Rounding::nearest_even;
}

tensor::Product product_of(const MatrixForm& form) {
  const auto has = [&](const char* name) { return form.mnemonic.find(name) != std::string::npos; };
  tensor::Product product;
  product.m = form.m;
  product.n = form.n;
  product.k = form.is_sparse ? form.k / 2 : form.k;
  product.is_sparse = form.is_sparse;
  product.a = element_of(form.a);
  product.b = element_of(form.b);
  product.block = product.k;
  if (product.a == Element::tf32 && form.is_wmma) product.block = 4;
  product.accumulator = form.c == "f64"                      ? Accumulator::f64
                        : form.c == "s32"                    ? Accumulator::s32
                        : form.c == "f32" || form.d == "f32" ? Accumulator::f32
                                                             : Accumulator::f16;
  product.saturates = has(".satfinite");
  product.rounding = rounding_of(form.mnemonic + ".");
  if (tensor::is_fp8(product.a)) {
    product.summation = tensor::Summation::halves_of_words;
    product.block = product.k / 2;
  } else if (product.a == Element::f64) {
    product.summation = tensor::Summation::chain;
  } else if (product.a == Element::b1) {
    product.summation = has(".and.") ? tensor::Summation::bits_and : tensor::Summation::bits_xor;
  } else if (tensor::is_integer(product.a)) {
    product.summation = tensor::Summation::integer;
  }
  return product;
}

// --- Matrices, element by element ---

// Rows of packed elements.
class Rows {
 public:
  Rows(unsigned rows, unsigned columns, unsigned bits)
      : bits_(bits), row_bytes_(columns * bits / 8), bytes_(std::size_t{rows} * row_bytes_) {}

  void set(unsigned row, unsigned column, Bits code) {
    for (unsigned i = 0; i < bits_; ++i) {
      const unsigned bit = column * bits_ + i;
      if ((code >> i & 1) != 0) bytes_[row * row_bytes_ + bit / 8] |= std::byte{1} << bit % 8;
    }
  }
  Bits get(unsigned row, unsigned column) const {
    Bits code = 0;
    for (unsigned i = 0; i < bits_; ++i) {
      const unsigned bit = column * bits_ + i;
      code |= Bits{(bytes_[row * row_bytes_ + bit / 8] >> bit % 8 & std::byte{1}) != std::byte{}}
              << i;
    }
    return code;
  }
  const std::byte* row(unsigned i) const { return bytes_.data() + std::size_t{i} * row_bytes_; }

 private:
  unsigned bits_;
  unsigned row_bytes_;
  std::vector<std::byte> bytes_;
};

// A multiplication of one warp. B by columns.
struct Matrices {
  Rows a, b, c;
  std::vector<u8> kept;  // of a sparse A: row after row

  explicit Matrices(const MatrixForm& form)
      : a(form.m, form.is_sparse ? form.k / 2 : form.k, bits_of(form.a)),
        b(form.n, form.k, bits_of(form.b)),
        c(form.m, form.n, bits_of(form.c)),
        kept(form.is_sparse ? std::size_t{form.m} * form.k / 2 : 0) {}

  static unsigned bits_of(const std::string& type) {
    return conformance::matrix_element_bits(type);
  }
};

u32 widened(const std::string& type, Bits code) {
  if (type != "f16") return static_cast<u32>(code);
  return std::bit_cast<u32>(f32_from_f16(static_cast<u16>(code)));
}
Bits narrowed(const std::string& type, u32 sum) {
  return type == "f16" ? f16_from_f32(std::bit_cast<f32>(sum)) : sum;
}

Rows expected(const MatrixForm& form, const Matrices& matrices) {
  const tensor::Product product = product_of(form);
  Rows d(form.m, form.n, Matrices::bits_of(form.d));
  for (unsigned row = 0; row < form.m; ++row) {
    for (unsigned column = 0; column < form.n; ++column) {
      const std::byte *a = matrices.a.row(row), *b = matrices.b.row(column);
      const Bits c = matrices.c.get(row, column);
      if (form.d == "f64") {
        const f64 sum = tensor::dot_f64(product, a, b, std::bit_cast<f64>(c));
        d.set(row, column, std::bit_cast<Bits>(sum));
        continue;
      }
      const u8* kept = form.is_sparse ? matrices.kept.data() + row * product.k : nullptr;
      const u32 sum = tensor::dot(product, a, b, kept, widened(form.c, c));
      d.set(row, column, narrowed(form.d, sum));
    }
  }
  return d;
}

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

// A program's threads in warps.
struct WarpWords {
  const std::vector<Bits>& words;
  std::size_t of_thread;  // words of a thread, one behind the other; 0: threads are
  std::size_t between;    // words from one to the next
  std::size_t first;      // thread

  Bits at(unsigned lane, unsigned word) const {
    return of_thread != 0 ? words[(first + lane) * of_thread + word]
                          : words[word * between + first + lane];
  }
};

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

// Each form with values of one kind, and all kinds in turn.
template <class Selects, class CountWrong>
void expect_right(Selects selects, CountWrong count_wrong) {
  std::size_t turn = 0, forms = 0;
  for (const MatrixForm& form : conformance::matrix_forms()) {
    if (!selects(form)) continue;
    ++forms;
    const std::size_t values = turn++ % std::size(conformance::matrix_value_names);
    EXPECT_EQ(count_wrong(form, static_cast<MatrixValues>(values)), 0u)
        << form.mnemonic << ", selector " << form.selector << ", values "
        << conformance::matrix_value_names[values];
  }
  EXPECT_GT(forms, 70u);
}

TEST(Mma, OfEveryFormGivesWhatEachElementByItselfGives) {
  expect_right([](const MatrixForm& form) { return !form.is_wmma && !form.is_sparse; },
               wrong_results_of_mma);
}

TEST(SparseMma, OfEveryFormGivesWhatEachElementByItselfGives) {
  expect_right([](const MatrixForm& form) { return form.is_sparse; }, wrong_results_of_mma);
}

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
