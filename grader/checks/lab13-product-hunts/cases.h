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
using judge::DroppedSigns;

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
  DroppedSigns dropped = DroppedSigns::none;
  float unit = 1;  // the elements are whole numbers times this power of two
};

using HuntOfProduct = std::tuple<judge::Part, Product>;

inline std::string test_name(const testing::TestParamInfo<HuntOfProduct>& info) {
  const auto& [hunt, product] = info.param;
  std::string id = hunt.id;
  std::ranges::replace(id, '-', '_');
  return common::concat(id, "_", product.m, "x8x", product.k, judge::name_of(product.dropped));
}

class Hunted : public judge::CheckWith<HuntOfProduct> {
 protected:
  void examine_hunt() {
    const auto& [hunt, product] = GetParam();
    if (!wants(hunt)) GTEST_SKIP();
    const auto [m, k, dropped, unit] = product;
    const std::vector<Bfloat16> a = random().whole_bfloat16(m * k, limit, unit);
    const std::vector<Bfloat16> b = random().whole_bfloat16(columns * k, limit, unit);
    examine(judge::with(dropped,
                        {judge::hunted(judge::following_values(hunt)),
                         common::concat(m, " x ", columns, " x ", k),
                         {judge::output("c", judge::tensor({columns, m}, multiply(a, b, product))),
                          judge::input("a", judge::tensor({m, k}, a)),
                          judge::input("b", judge::tensor({columns, k}, b)),
                          judge::integer(static_cast<std::int64_t>(m)),
                          judge::integer(static_cast<std::int64_t>(k))}}));
  }

 private:
  static constexpr std::size_t columns = 8;
  static constexpr int limit = 8;

  // Of rows of A and of B with k elements each, all sums of products, a column after another. In
  // the hunts that are examined that way, both factors are not swizzled, or A is in registers.
  static std::vector<float> multiply(const std::vector<Bfloat16>& a, const std::vector<Bfloat16>& b,
                                     const Product& product) {
    const std::size_t k = product.k;
    const DroppedSigns of_a =
        product.dropped == DroppedSigns::none ? DroppedSigns::none : DroppedSigns::all;
    const DroppedSigns of_b =
        product.dropped == DroppedSigns::in_registers ? DroppedSigns::none : of_a;
    std::vector<float> sums;
    for (std::size_t column = 0; column < b.size(); column += k) {
      for (std::size_t row = 0; row < a.size(); row += k) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i) {
          sum += judge::factor(a[row + i], of_a) * judge::factor(b[column + i], of_b);
        }
        sums.push_back(sum);
      }
    }
    return sums;
  }
};

}  // namespace lab13
