// What a case of lab4-single-tile is: a tile that goes in, goes out or is added; or a matrix of
// tiles, whose elements get their places in their tiles added. The cases themselves are in
// checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab4 {

namespace parts {
#include "checks/lab4-single-tile/parts.def"
}

using judge::Bfloat16;

inline constexpr Bfloat16 infinity = Bfloat16::nearest(std::numeric_limits<float>::infinity());
inline constexpr Bfloat16 minus_infinity =
    Bfloat16::nearest(-std::numeric_limits<float>::infinity());
inline constexpr Bfloat16 largest{0x7F7F};
constexpr Bfloat16 bf16(float value) {
  return Bfloat16::nearest(value);
}

// Sums in which an implementation goes wrong that does not round once, to nearest even. (Subnormal
// numbers are left out: PTX does not say whether a tensor reduction keeps or flushes them.)
inline constexpr std::array<std::pair<Bfloat16, Bfloat16>, 9> edges{{
    {bf16(-0.0F), bf16(-0.0F)},             // stays -0
    {bf16(-0.0F), bf16(0.0F)},              // +0
    {bf16(1.5F), bf16(-1.5F)},              // +0
    {bf16(1.0F), bf16(0.00390625F)},        // a tie, to even: 1
    {bf16(1.0078125F), bf16(0.00390625F)},  // a tie, to even: 1.015625
    {infinity, bf16(-3.0F)},                // infinity
    {infinity, minus_infinity},             // NaN
    {largest, largest},                     // overflows to infinity
    {largest, bf16(1.0F)},                  // does not
}};

struct TileShape {
  int rows;
  int columns;
};

class Tile : public judge::CheckWith<TileShape> {
 protected:
  void examine_copy(const judge::Part& part) {
    if (!wants(part)) GTEST_SKIP();
    const judge::Tensor src = matrix(random().any_bfloat16(count()));
    examine_tile(part, judge::input("src", src), judge::copied("dest", src));
  }

  void examine_reduce() {
    if (!wants(parts::reduce)) GTEST_SKIP();
    std::vector<Bfloat16> src = random().bfloat16(count());
    std::vector<Bfloat16> dest = random().bfloat16(count());
    // As many of the edges as there is room for beside ordinary numbers, far apart.
    const std::size_t stride = std::max<std::size_t>(2, count() / edges.size());
    for (std::size_t i = 0; i < edges.size() && i * stride < count(); ++i) {
      src[i * stride] = edges[i].first;
      dest[i * stride] = edges[i].second;
    }
    std::vector<Bfloat16> sum(count());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = dest[i] + src[i];
    examine_tile(parts::reduce, judge::input("src", matrix(src)),
                 judge::in_place("dest", matrix(dest), matrix(sum)));
  }

 private:
  std::size_t count() const {
    return static_cast<std::size_t>(GetParam().rows) * GetParam().columns;
  }

  judge::Tensor matrix(const std::vector<Bfloat16>& elements) const {
    return judge::tensor(
        {static_cast<std::size_t>(GetParam().rows), static_cast<std::size_t>(GetParam().columns)},
        elements);
  }

  // The template arguments come first, then src and dest.
  void examine_tile(const judge::Part& part, judge::CallArgument src, judge::CallArgument dest) {
    const auto [rows, columns] = GetParam();
    examine({part,
             common::concat(rows, " x ", columns),
             {judge::integer(rows), judge::integer(columns), std::move(src), std::move(dest)},
             count() * sizeof(Bfloat16),
             {},
             2});
  }
};

inline std::string test_name(const testing::TestParamInfo<TileShape>& info) {
  return common::concat(info.param.rows, 'x', info.param.columns);
}

class Load : public Tile {};
class Store : public Tile {};
class Reduce : public Tile {};

struct MatrixShape {
  int height;
  int width;
};

inline std::string matrix_name(const testing::TestParamInfo<MatrixShape>& info) {
  return common::concat(info.param.height, 'x', info.param.width);
}

class TileIndex : public judge::CheckWith<MatrixShape> {
 protected:
  void examine_tile_index() {
    if (!wants(parts::tile_index)) GTEST_SKIP();
    constexpr int tile = 4;
    const auto [height, width] = GetParam();
    const std::vector<std::size_t> shape{static_cast<std::size_t>(height),
                                         static_cast<std::size_t>(width)};
    std::vector<float> before =
        random().any_floats(shape[0] * shape[1], judge::Subnormals::left_out);
    // Who adds no zero is right, too: -0 + 0 would be +0.
    for (float& element : before) element = element == 0 ? 0 : element;
    std::vector<float> after = before;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        after[static_cast<std::size_t>(row) * width + column] +=
            static_cast<float>(row % tile * tile + column % tile);
      }
    }
    examine({parts::tile_index,
             common::concat(height, " x ", width),
             {judge::in_place("matrix", judge::tensor(shape, before), judge::tensor(shape, after)),
              judge::integer(height), judge::integer(width)},
             before.size() * sizeof(float),
             {},
             2});
  }
};

}  // namespace lab4
