// What a case of lab12-matmul is: a product of whole numbers so small that every sum is exact, in
// whatever order it is added. The cases themselves are in checks.cpp, which students have too, and
// in grader_checks.cpp.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/cases/signs.h"
#include "judge/session/check.h"

namespace lab12 {

namespace parts {
#include "checks/lab12-matmul/parts.def"
}

using judge::Bfloat16;
using judge::TurnedProducts;
using judge::TurnedSigns;

struct Product {
  std::size_t m;
  std::size_t n;
  std::size_t k;
  TurnedProducts turned = TurnedProducts::none;
  float unit = 1;  // the elements are whole numbers times this power of two
  enum Values { ordinary, special } values = ordinary;  // some rows have infinities and NaNs
};

inline std::string name_of_product(const testing::TestParamInfo<Product>& info) {
  const auto& [m, n, k, turned, unit, values] = info.param;
  return common::concat(m, "x", n, "x", k, judge::name_of(turned), unit == 1 ? "" : "_fractions",
                        values == Product::special ? "_special" : "");
}

// A matrix of rows of k elements.
struct Factor {
  std::size_t rows;
  std::size_t k;
  std::vector<Bfloat16> elements;

  judge::Tensor tensor() const { return judge::tensor({rows, k}, elements); }
};

// Of every element of the product, the sum over k of A[m][k] * B[n][k], at [n * M + m].
inline std::vector<float> multiply(const Factor& a, const Factor& b, const TurnedSigns& signs) {
  std::vector<float> columns(a.elements.size());  // of A: so the inner loop is along m
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    columns[i % a.k * a.rows + i / a.k] = a.elements[i].value();
  }
  std::vector<float> c(a.rows * b.rows);
  for (std::size_t n = 0; n < b.rows; ++n) {
    float* const sums = &c[n * a.rows];
    for (std::size_t k = 0; k < a.k; ++k) {
      const float factor = b.elements[n * b.k + k].value();
      const float* const column = &columns[k * a.rows];
      for (std::size_t m = 0; m < a.rows; ++m) {
        sums[m] += judge::product(column[m], factor, signs);
      }
    }
  }
  return c;
}

inline std::vector<Bfloat16> rounded(const std::vector<float>& sums) {
  std::vector<Bfloat16> result(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) result[i] = Bfloat16::nearest(sums[i]);
  return result;
}

// How a launcher reads its factors and writes the product; the first of each is right.
struct Layout {
  bool a_is_transposed = false;  // A[k * M + m] for A[m * K + k]
  bool b_is_transposed = false;  // B[k * N + n] for B[n * K + k]
  bool c_is_transposed = false;  // C[m * N + n] for C[n * M + m]

  std::string in_words() const {
    std::string read;
    if (a_is_transposed) read += "a[k * M + m] in place of a[m * K + k]";
    if (a_is_transposed && b_is_transposed) read += " and ";
    if (b_is_transposed) read += "b[k * N + n] in place of b[n * K + k]";
    std::string text = "these are the right sums for somebody who reads " + read;
    if (c_is_transposed) text += ", and they lie at c[m * N + n] in place of c[n * M + m]";
    return text;
  }
};

// The factor of rows of k elements whose elements are taken for one of columns of k.
inline Factor read_transposed(const Factor& factor) {
  Factor read{factor.rows, factor.k, std::vector<Bfloat16>(factor.elements.size())};
  for (std::size_t i = 0; i < read.elements.size(); ++i) {
    read.elements[i] = factor.elements[i % factor.k * factor.rows + i / factor.k];
  }
  return read;
}

template <class Element>
std::vector<Element> transposed(const std::vector<Element>& matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<Element> result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    result[i % columns * rows + i / columns] = matrix[i];
  }
  return result;
}

// What comes of reading a factor the other way around. `finish`: of the sums, what is written.
template <class Finish>
std::vector<judge::KnownMistake> mistakes_of(const Factor& a, const Factor& b,
                                             const TurnedSigns& signs, Finish finish) {
  std::vector<judge::KnownMistake> mistakes;
  for (const bool c_transposed : {false, true}) {
    for (const auto& [of_a, of_b] : {std::pair(false, true), {true, false}, {true, true}}) {
      const Layout layout{of_a, of_b, c_transposed};
      mistakes.push_back({layout.in_words(), [=] {
                            auto sums = finish(multiply(of_a ? read_transposed(a) : a,
                                                        of_b ? read_transposed(b) : b, signs));
                            if (layout.c_is_transposed) sums = transposed(sums, a.rows);
                            return judge::tensor({b.rows, a.rows}, sums);
                          }});
    }
  }
  return mistakes;
}

inline judge::CallArgument with(std::vector<judge::KnownMistake> mistakes,
                                judge::CallArgument output) {
  std::get<judge::BufferArgument>(output).mistakes = std::move(mistakes);
  return output;
}

class Matmul : public judge::CheckWith<Product> {
 protected:
  // Whole numbers from -limit to limit, times the case's unit: 2^24 units of a sum are far.
  Factor draw(std::size_t rows, std::size_t k, int limit) {
    Factor drawn{rows, k, random().whole_bfloat16(rows * k, limit, GetParam().unit)};
    if (GetParam().values == Product::special) put_special_values(drawn);
    return drawn;
  }

  // One product of one warpgroup: the launcher's template arguments, then a, b, c.
  void examine_tile(const judge::Part& part) {
    if (!wants(part)) GTEST_SKIP();
    const auto [m, n, k, turned, unit, values] = GetParam();
    const TurnedSigns signs = judge::turned(turned, random());
    const Factor a = draw(m, k, limit());
    const Factor b = draw(n, k, limit());
    examine(judge::following_values(part), signs,
            {integer(m), integer(n), integer(k), judge::input("a", a.tensor()),
             judge::input("b", b.tensor()),
             with(mistakes_of(a, b, signs, std::identity()),
                  judge::output("c", judge::tensor({n, m}, multiply(a, b, signs))))});
  }

  // d = bf16(a * b) * c. With -1, 0 and 1 alone the first product is exact as a bfloat16, too; that
  // of fractions is not, and has to be rounded.
  void examine_two_products() {
    if (!wants(parts::fragments)) GTEST_SKIP();
    const auto [m, n, k, turned, unit, values] = GetParam();
    const TurnedSigns signs = judge::turned(turned, random());
    // 64 * 15 * 15 * 64 * 15 is less than 2^24, and more pairs of numbers are harder to guess.
    const int limit_of_second = turned == TurnedProducts::none ? few : 15;
    const int limit_of_first = turned == TurnedProducts::none && unit == 1 ? 1 : limit_of_second;
    const Factor a = draw(m, k, limit_of_first);
    const Factor b = draw(k, k, limit_of_first);
    const Factor c = draw(n, k, limit_of_second);
    const std::vector<float> first = multiply(a, b, signs);
    Factor p{m, k, std::vector<Bfloat16>(m * k)};
    for (std::size_t i = 0; i < p.elements.size(); ++i) {
      p.elements[i] = Bfloat16::nearest(first[i % k * m + i / k]);
    }
    examine(judge::following_values(parts::fragments), signs,
            {judge::input("a", a.tensor()), judge::input("b", b.tensor()),
             judge::input("c", c.tensor()),
             judge::output("d", judge::tensor({n, m}, multiply(p, c, signs)))});
  }

  // C = A * B of any size, rounded to bfloat16.
  void examine_product(const judge::Part& part,
                       const std::vector<protocol::Attribute>& attributes = {}) {
    if (!wants(part)) GTEST_SKIP();
    const auto [m, n, k, turned, unit, values] = GetParam();
    const TurnedSigns signs = judge::turned(turned, random());
    const Factor a = draw(m, k, limit());
    const Factor b = draw(n, k, limit());
    examine(part, signs,
            {integer(m), integer(n), integer(k), judge::input("A", a.tensor()),
             judge::input("B", b.tensor()),
             with(mistakes_of(a, b, signs, rounded),
                  judge::output("C", judge::tensor({n, m}, rounded(multiply(a, b, signs)))))},
            attributes);
  }

 private:
  static constexpr int few = 8;

  // Of the whole numbers that are multiplied: where signs are turned there are more pairs than
  // somebody looks up in a table who has had wgmma multiply each. 120 * 120 * 1152 is less than
  // 2^24.
  static int limit() { return GetParam().turned == TurnedProducts::none ? few : 120; }

  // In every seventh row one, at a place of its own: all that is multiplied by it is infinite, or
  // no number.
  void put_special_values(Factor& factor) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float special[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity};
    for (std::size_t row = 3; row < factor.rows; row += 7) {
      factor.elements[row * factor.k + random().bits() % factor.k] =
          Bfloat16::nearest(special[row / 7 % 3]);
    }
  }

  void examine(const judge::Part& part, const TurnedSigns& signs,
               std::vector<judge::CallArgument> arguments,
               const std::vector<protocol::Attribute>& attributes = {}) {
    judge::CallCase test{part, in_words() + judge::on(attributes), std::move(arguments)};
    test.attributes = attributes;
    Check::examine(judge::with(signs, std::move(test)));
  }

  static judge::CallArgument integer(std::size_t number) {
    return judge::integer(static_cast<std::int64_t>(number));
  }
  std::string in_words() const {
    const auto [m, n, k, turned, unit, values] = GetParam();
    return common::concat(m, " x ", n, " x ", k, judge::in_steps_of(unit),
                          values == Product::special ? ", with infinities and NaNs" : "");
  }
};

class MatmulDescriptors : public Matmul {};
class MatmulSwizzle64 : public Matmul {};
class MatmulSwizzle128 : public Matmul {};
class MatmulFragments : public Matmul {};
class MatmulRing : public Matmul {};
class MatmulSpecialized : public Matmul {};
class MatmulAnyShape : public Matmul {};
class MatmulAnyShapeOnFewSms : public Matmul {};
class MatmulAnyShapeOfManyTiles : public judge::LongCases<Matmul> {};
class MatmulPersistent : public Matmul {};
class MatmulPersistentOnFewSms : public Matmul {};
class MatmulPersistentOfManyTiles : public judge::LongCases<Matmul> {};

}  // namespace lab12
