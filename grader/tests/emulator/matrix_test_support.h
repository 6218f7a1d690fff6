// Whole matrix instructions against sums of one element each: what the tests of mma and wmma have
// in common.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "common/half.h"
#include "emulator/device/device.h"
#include "emulator/tensor/dot.h"
#include "tests/conformance/matrix_forms.h"
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {

using conformance::MatrixForm;
using conformance::MatrixValues;
using conformance::RandomProgram;
using tensor::Accumulator;
using tensor::Element;

// --- Running a program of the conformance suite ---

// A word of each thread at each checkpoint.
inline std::vector<Bits> results_of(const RandomProgram& program) {
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

inline Element element_of(const std::string& name) {
  static const std::pair<const char*, Element> all[] = {
      {"f16", Element::f16},   {"bf16", Element::bf16}, {"tf32", Element::tf32},
      {"e4m3", Element::e4m3}, {"e5m2", Element::e5m2}, {"f64", Element::f64},
      {"s8", Element::s8},     {"u8", Element::u8},     {"s4", Element::s4},
      {"u4", Element::u4},     {"b1", Element::b1}};
  return std::ranges::find(all, name, [](const auto& one) { return std::string(one.first); })
      ->second;
}

inline Rounding rounding_of(const std::string& mnemonic) {
  const auto has = [&](const char* name) { return mnemonic.find(name) != std::string::npos; };
  return has(".rz.")   ? Rounding::toward_zero
         : has(".rm.") ? Rounding::down
         : has(".rp.") ? Rounding::up
                       : Rounding::nearest_even;
}

inline tensor::Product product_of(const MatrixForm& form) {
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

inline u32 widened(const std::string& type, Bits code) {
  if (type != "f16") return static_cast<u32>(code);
  return std::bit_cast<u32>(f32_from_f16(static_cast<u16>(code)));
}
inline Bits narrowed(const std::string& type, u32 sum) {
  return type == "f16" ? f16_from_f32(std::bit_cast<f32>(sum)) : sum;
}

inline Rows expected(const MatrixForm& form, const Matrices& matrices) {
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

}  // namespace tmaemu::testing
