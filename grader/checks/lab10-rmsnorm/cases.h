// What a case of lab10-rmsnorm is: rows that come out normalized, with or without a residual added
// before. The cases themselves are in checks.cpp, which students have too, and in
// grader_checks.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab10 {

namespace parts {
#include "checks/lab10-rmsnorm/parts.def"
}

// y is computed in float and rounded once, to a bfloat16. The errors of the float are at most
// these: a sum of 2^14 squares, in any order in which several threads add, a square root and two
// products. So only where the exact result is as near as that to the middle of two bfloat16, either
// is right: of about one element in forty. (One unit in the last place everywhere would also let
// through what is wrong by 0.3%.)
inline constexpr double error_of_float = 0x1p-14;

struct Rows {
  std::size_t rows;
  std::size_t columns;
  double eps = 1e-5;
  // With small numbers, eps decides; with special ones, rows have infinities and NaNs.
  enum Values { ordinary, small, special } values = ordinary;
};

inline constexpr float special_values[] = {std::numeric_limits<float>::infinity(),
                                           -std::numeric_limits<float>::infinity(),
                                           std::numeric_limits<float>::quiet_NaN()};

struct ValuesName {
  const char* in_tests;
  const char* in_words;
};
inline constexpr ValuesName value_names[] = {
    {"", ""}, {"_small", ", small numbers"}, {"_special", ", with infinities and NaNs"}};

inline std::string rows_name(const testing::TestParamInfo<Rows>& info) {
  return common::concat(info.param.rows, 'x', info.param.columns,
                        value_names[info.param.values].in_tests);
}

class Norm : public judge::CheckWith<Rows> {
 protected:
  using Elements = std::vector<judge::Bfloat16>;

  void examine_rms_norm() {
    if (!wants(parts::rms_norm)) GTEST_SKIP();
    const Elements x = draw(count());
    const Elements weight = draw_weight();
    examine({parts::rms_norm,
             in_words(),
             {judge::input("x", matrix(x)), judge::input("weight", vector(weight)),
              output_y(x, weight), judge::integer(static_cast<std::int64_t>(GetParam().rows)),
              judge::integer(static_cast<std::int64_t>(GetParam().columns)),
              judge::real(GetParam().eps)},
             count() * sizeof(judge::Bfloat16)});  // x
  }

  void examine_add_rms_norm() {
    if (!wants(parts::add_rms_norm)) GTEST_SKIP();
    const Elements x = draw(count());
    const Elements residual = draw(count());
    const Elements weight = draw_weight();
    Elements sum(count());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = x[i] + residual[i];
    examine(
        {parts::add_rms_norm,
         in_words(),
         {judge::input("x", matrix(x)), judge::in_place("residual", matrix(residual), matrix(sum)),
          judge::input("weight", vector(weight)), output_y(sum, weight),
          judge::integer(static_cast<std::int64_t>(GetParam().rows)),
          judge::integer(static_cast<std::int64_t>(GetParam().columns)),
          judge::real(GetParam().eps)},
         2 * count() * sizeof(judge::Bfloat16)});  // x and residual
  }

 private:
  std::size_t count() const { return GetParam().rows * GetParam().columns; }

  std::string in_words() const {
    return common::concat(GetParam().rows, " x ", GetParam().columns, ", eps ", GetParam().eps,
                          value_names[GetParam().values].in_words);
  }

  Elements draw(std::size_t elements) {
    Elements drawn = random().bfloat16(elements);
    const float scale = GetParam().values == Rows::small ? 0x1p-20F : 1.0F;
    for (judge::Bfloat16& value : drawn) value = judge::Bfloat16::nearest(value.value() * scale);
    if (GetParam().values == Rows::special) put_special_values(drawn);
    return drawn;
  }

  // A weight that is no number makes a column that is none, but for the rows that are infinite.
  Elements draw_weight() {
    Elements weight = random().bfloat16(GetParam().columns);
    if (GetParam().values == Rows::special) {
      for (std::size_t i = 0; i < std::size(special_values) && i < weight.size(); ++i) {
        weight[weight.size() - 1 - i] = judge::Bfloat16::nearest(special_values[i]);
      }
    }
    return weight;
  }

  // One in every row but the first, each at a place of its own.
  void put_special_values(Elements& elements) {
    for (std::size_t row = 1; row < GetParam().rows; ++row) {
      const std::size_t column = random().bits() % GetParam().columns;
      elements[row * GetParam().columns + column] =
          judge::Bfloat16::nearest(special_values[row % 3]);
    }
  }

  judge::CallArgument output_y(const Elements& rows, const Elements& weight) const {
    return judge::output_either("y", matrix(normalized(rows, weight, 1 - error_of_float)),
                                matrix(normalized(rows, weight, 1 + error_of_float)));
  }

  judge::Tensor matrix(const Elements& elements) const {
    return judge::tensor({GetParam().rows, GetParam().columns}, elements);
  }
  judge::Tensor vector(const Elements& elements) const {
    return judge::tensor({elements.size()}, elements);
  }

  // The exact results times `factor`, rounded.
  Elements normalized(const Elements& rows, const Elements& weight, double factor) const {
    const std::size_t columns = GetParam().columns;
    const double eps = static_cast<float>(GetParam().eps);
    Elements result(rows.size());
    for (std::size_t begin = 0; begin < rows.size(); begin += columns) {
      double squares = 0;
      for (std::size_t i = begin; i < begin + columns; ++i) {
        squares += static_cast<double>(rows[i].value()) * rows[i].value();
      }
      const double scale = 1 / std::sqrt(squares / static_cast<double>(columns) + eps);
      for (std::size_t i = 0; i < columns; ++i) {
        const double exact = rows[begin + i].value() * scale * weight[i].value();
        result[begin + i] = judge::Bfloat16::nearest(static_cast<float>(exact * factor));
      }
    }
    return result;
  }
};

class RmsNorm : public Norm {};
class AddRmsNorm : public Norm {};

}  // namespace lab10
