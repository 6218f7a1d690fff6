// The tests of lab8-swizzle that students have too.
#include "checks/lab8-swizzle/bandwidth.h"
#include "checks/lab8-swizzle/cases.h"

namespace lab8 {

TEST_P(Swizzle64, ComesOutAsItWentIn) {
  examine_swizzle(parts::swizzle_64, SwizzleBytes::implied);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Swizzle64,
                         testing::Values(SwizzledTile{1, 64, 0}, SwizzledTile{1, 64, 1},
                                         SwizzledTile{1, 64, 2}, SwizzledTile{1, 64, 3},
                                         SwizzledTile{16, 64, 0}),
                         tile_name);

TEST_P(Swizzle32And128, ComesOutAsItWentIn) {
  examine_swizzle(parts::swizzle_32_128, SwizzleBytes::named);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Swizzle32And128,
                         testing::Values(SwizzledTile{1, 32, 0}, SwizzledTile{1, 32, 1},
                                         SwizzledTile{32, 32, 0}, SwizzledTile{1, 128, 0},
                                         SwizzledTile{1, 128, 1}, SwizzledTile{1, 128, 6},
                                         SwizzledTile{64, 128, 0}),
                         tile_name);

TEST_P(Transpose, PutsEveryElementInItsPlace) {
  examine_transpose(parts::transpose, Way::tma);
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, Transpose,
                         testing::Values(Matrix{float32, 64, 64}, Matrix{float32, 128, 256},
                                         Matrix{float32, 72, 4}, Matrix{bfloat16, 128, 128},
                                         Matrix{bfloat16, 256, 128}, Matrix{bfloat16, 200, 136}),
                         matrix_name);

TEST_P(AnyShape, PutsEveryElementInItsPlace) {
  examine_transpose(parts::any_shape, Way::any);  // where plain loads are right as well
}
INSTANTIATE_TEST_SUITE_P(lab8_swizzle, AnyShape,
                         testing::Values(Matrix{float32, 0, 5}, Matrix{float32, 1, 1},
                                         Matrix{float32, 63, 65}, Matrix{float32, 64, 129},
                                         Matrix{float32, 12, 18}, Matrix{bfloat16, 12, 16},
                                         Matrix{bfloat16, 16, 22}, Matrix{bfloat16, 1, 1},
                                         Matrix{bfloat16, 127, 129}, Matrix{bfloat16, 300, 35}),
                         matrix_name);

class lab8_swizzle_bandwidth : public judge::Check {};
TEST_F(lab8_swizzle_bandwidth, Transpose) {
  constexpr std::size_t rows = 16384;
  constexpr std::size_t columns = 16384;
  constexpr std::size_t bytes = rows * columns * sizeof(float);
  using Set = judge::BandwidthCase::Set;
  measure({parts::transpose,
           {bytes, bytes},
           {judge::type_argument(float32), judge::TimedBuffer{0}, judge::TimedBuffer{1},
            std::int64_t{rows}, std::int64_t{columns}},
           2 * bytes,
           [=](Set set, std::uint64_t seed) { return fill_matrices(set, bytes, seed); },
           [=](Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_transpose(set, rows, columns, seed, result);
           }});
}

}  // namespace lab8
