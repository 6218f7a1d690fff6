// What a case of lab10-rmsnorm is: rows that come out normalized, with or without a residual added
// before. The cases themselves are in checks.cpp, which students have too, and in
// grader_checks.cpp.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "judge/check.h"
#include "judge/parts.h"

namespace lab10 {

namespace parts {
#include "checks/lab10-rmsnorm/parts.def"
}

// y is computed in float, whose errors are far below half a unit in the last place of a bfloat16,
// and rounded once: near a tie, that may give the next bfloat16, which is up to 2^-7 away.
inline constexpr judge::Tolerance one_unit_in_the_last_place{0x1p-7, 0};

struct Rows {
  std::size_t rows;
  std::size_t columns;
  double eps = 1e-5;
  enum Values { ordinary, small } values = ordinary;  // with small numbers, eps decides
};

inline std::string rows_name(const testing::TestParamInfo<Rows>& info) {
  return judge::concat(info.param.rows, 'x', info.param.columns,
                       info.param.values == Rows::small ? "_small" : "");
}

class Norm : public judge::CheckWith<Rows> {
 protected:
  using Elements = std::vector<judge::Bfloat16>;

  void examine_rms_norm() {
    const Elements x = draw(count());
    const Elements weight = random().bfloat16(GetParam().columns);
    examine({parts::rms_norm,
             in_words(),
             {judge::input("x", matrix(x)), judge::input("weight", vector(weight)),
              judge::output_within(one_unit_in_the_last_place, "y", matrix(normalized(x, weight))),
              judge::integer(static_cast<std::int64_t>(GetParam().rows)),
              judge::integer(static_cast<std::int64_t>(GetParam().columns)),
              judge::real(GetParam().eps)},
             count() * sizeof(judge::Bfloat16)});  // x
  }

  void examine_add_rms_norm() {
    const Elements x = draw(count());
    const Elements residual = draw(count());
    const Elements weight = random().bfloat16(GetParam().columns);
    Elements sum(count());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = x[i] + residual[i];
    examine(
        {parts::add_rms_norm,
         in_words(),
         {judge::input("x", matrix(x)), judge::in_place("residual", matrix(residual), matrix(sum)),
          judge::input("weight", vector(weight)),
          judge::output_within(one_unit_in_the_last_place, "y", matrix(normalized(sum, weight))),
          judge::integer(static_cast<std::int64_t>(GetParam().rows)),
          judge::integer(static_cast<std::int64_t>(GetParam().columns)),
          judge::real(GetParam().eps)},
         2 * count() * sizeof(judge::Bfloat16)});  // x and residual
  }

 private:
  std::size_t count() const { return GetParam().rows * GetParam().columns; }

  std::string in_words() const {
    return judge::concat(GetParam().rows, " x ", GetParam().columns, ", eps ", GetParam().eps,
                         GetParam().values == Rows::small ? ", small numbers" : "");
  }

  Elements draw(std::size_t elements) {
    Elements drawn = random().bfloat16(elements);
    const float scale = GetParam().values == Rows::small ? 0x1p-20F : 1.0F;
    for (judge::Bfloat16& value : drawn) value = judge::Bfloat16::nearest(value.value() * scale);
    return drawn;
  }

  judge::Tensor matrix(const Elements& elements) const {
    return judge::tensor({GetParam().rows, GetParam().columns}, elements);
  }
  judge::Tensor vector(const Elements& elements) const {
    return judge::tensor({elements.size()}, elements);
  }

  Elements normalized(const Elements& rows, const Elements& weight) const {
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
        result[begin + i] = judge::Bfloat16::nearest(static_cast<float>(exact));
      }
    }
    return result;
  }
};

class RmsNorm : public Norm {};
class AddRmsNorm : public Norm {};

}  // namespace lab10
