// What a case of lab13-product-hunts is: a mended kernel multiplies whole numbers so small that
// every sum is exact. The cases themselves are in checks.cpp, which students have too, and in
// grader_checks.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/cases/signs.h"
#include "judge/session/check.h"

namespace lab13 {

namespace parts {
#include "checks/lab13-product-hunts/parts.def"
}

using judge::Bfloat16;
using judge::TurnedProducts;

inline constexpr std::array hunts{
    parts::own_hands,  parts::this_way,    parts::two_swizzles, parts::block_by_block,
    parts::last_rows,  parts::all_in_one,  parts::even_and_odd, parts::from_registers,
    parts::one_behind, parts::third_stage, parts::gives_back,   parts::by_turns,
    parts::one_panel,  parts::same_room,
};

// Rows of A, and elements in each.
struct Product {
  std::size_t m;
  std::size_t k;
  TurnedProducts turned = TurnedProducts::none;
  float unit = 1;  // the elements are whole numbers times this power of two
};

using HuntOfProduct = std::tuple<judge::Part, Product>;

inline std::string test_name(const testing::TestParamInfo<HuntOfProduct>& info) {
  const auto& [hunt, product] = info.param;
  std::string id = hunt.id;
  std::ranges::replace(id, '-', '_');
  return common::concat(id, "_", product.m, "x8x", product.k, judge::name_of(product.turned));
}

class Hunted : public judge::CheckWith<HuntOfProduct> {
 protected:
  void examine_hunt() {
    const auto& [hunt, product] = GetParam();
    if (!wants(hunt)) GTEST_SKIP();
    const auto [m, k, turned, unit] = product;
    const judge::TurnedSigns signs = judge::turned(turned, random());
    const int limit = turned == TurnedProducts::none ? 8 : 120;  // for many pairs of numbers
    const std::vector<Bfloat16> a = random().whole_bfloat16(m * k, limit, unit);
    const std::vector<Bfloat16> b = random().whole_bfloat16(columns * k, limit, unit);
    examine(judge::with(signs,
                        {judge::hunted(judge::following_values(hunt)),
                         common::concat(m, " x ", columns, " x ", k),
                         {judge::output("c", judge::tensor({columns, m}, multiply(a, b, k, signs))),
                          judge::input("a", judge::tensor({m, k}, a)),
                          judge::input("b", judge::tensor({columns, k}, b)),
                          judge::integer(static_cast<std::int64_t>(m)),
                          judge::integer(static_cast<std::int64_t>(k))}}));
  }

 private:
  static constexpr std::size_t columns = 8;

  // Of rows of A and of B with k elements each, all sums of products, a column after another. In
  // the hunts that are examined that way, both factors are not swizzled, or A is in registers.
  static std::vector<float> multiply(const std::vector<Bfloat16>& a, const std::vector<Bfloat16>& b,
                                     std::size_t k, judge::TurnedSigns signs) {
    if (signs.products != TurnedProducts::none) signs.products = TurnedProducts::all;
    std::vector<float> sums;
    for (std::size_t column = 0; column < b.size(); column += k) {
      for (std::size_t row = 0; row < a.size(); row += k) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i) {
          sum += judge::product(a[row + i].value(), b[column + i].value(), signs);
        }
        sums.push_back(sum);
      }
    }
    return sums;
  }
};

}  // namespace lab13
