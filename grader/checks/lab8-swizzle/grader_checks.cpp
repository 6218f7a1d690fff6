// Further cases of lab8-swizzle, which only the grader has: `make release` leaves this file out.
#include "checks/lab8-swizzle/cases.h"

namespace lab8 {
namespace {

// What rows and columns may have in common with the 16 bytes of a vector: all, a half, a quarter,
// one element. Every pair but the one of which part transpose is, for both types.
std::vector<Matrix> odd_shapes() {
  std::vector<Matrix> shapes;
  for (const std::size_t rows : {72, 76, 74, 75}) {
    for (const std::size_t columns : {136, 140, 138, 139}) {
      if (rows % 8 != 0 || columns % 8 != 0) shapes.push_back({bfloat16, rows, columns});
      if (rows % 8 == 4 || columns % 8 == 4) continue;  // which is all of a float's vector
      if (rows % 4 != 0 || columns % 4 != 0) shapes.push_back({float32, rows, columns});
    }
  }
  return shapes;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Swizzle64,
                         testing::Values(SwizzledTile{2, 64, 1}, SwizzledTile{17, 64, 3}),
                         tile_name);

INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Swizzle32And128,
                         testing::Values(SwizzledTile{1, 32, 3}, SwizzledTile{3, 32, 2},
                                         SwizzledTile{1, 128, 5}, SwizzledTile{3, 128, 7},
                                         SwizzledTile{33, 128, 4}),
                         tile_name);

INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Transpose,
                         testing::Values(Matrix{float32, 4, 4}, Matrix{float32, 4, 1000},
                                         Matrix{float32, 132, 68}, Matrix{bfloat16, 8, 8},
                                         Matrix{bfloat16, 8, 520}, Matrix{bfloat16, 136, 264}),
                         matrix_name);

INSTANTIATE_TEST_SUITE_P(lab8_swizzle, AnyShape,
                         testing::Values(Matrix{float32, 7, 0}, Matrix{float32, 1, 300},
                                         Matrix{float32, 257, 1}, Matrix{float32, 130, 131},
                                         Matrix{float32, 191, 64}, Matrix{bfloat16, 1, 517},
                                         Matrix{bfloat16, 129, 1}, Matrix{bfloat16, 128, 100},
                                         Matrix{bfloat16, 260, 131}),
                         matrix_name);

class OddShape : public AnyShape {};
TEST_P(OddShape, PutsEveryElementInItsPlace) {
  examine_transpose(parts::any_shape, Way::any);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, OddShape, testing::ValuesIn(odd_shapes()), matrix_name);

// More tiles than an H200 has SMs, and than it holds CTAs at once.
class LongTranspose : public judge::LongCases<Transpose> {};
TEST_P(LongTranspose, PutsEveryElementInItsPlace) {
  examine_transpose(parts::transpose, Way::tma);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, LongTranspose,
                         testing::Values(Matrix{float32, 70'000, 4}, Matrix{float32, 4, 70'000}),
                         matrix_name);
class LongAnyShape : public judge::LongCases<AnyShape> {};
TEST_P(LongAnyShape, PutsEveryElementInItsPlace) {
  examine_transpose(parts::any_shape, Way::any);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, LongAnyShape, testing::Values(Matrix{float32, 275'001, 1}),
                         matrix_name);

}  // namespace lab8
