// The tests of lab5-tensor-ranks that students have too.
#include "checks/lab5-tensor-ranks/bandwidth.h"
#include "checks/lab5-tensor-ranks/cases.h"

namespace lab5 {

TEST_P(CopyBoxes, CopiesBitForBit) {
  examine_copy();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, CopyBoxes,
                         testing::Values(Whole{float32, {16}}, Whole{int32, {1004}},
                                         Whole{bfloat16, {24, 7}}, Whole{float32, {20, 5, 9}},
                                         Whole{int32, {36, 3, 5, 6}},
                                         Whole{bfloat16, {40, 5, 3, 2, 7}},
                                         Whole{float32, {4, 9, 4, 5, 3}}),
                         whole_name);

TEST_P(PadMatrix, PutsABorderRound) {
  examine_pad();
}
INSTANTIATE_TEST_SUITE_P(
    lab5_tensor_ranks, PadMatrix,
    testing::Values(Border{float32, 32, 8, 0, 0}, Border{float32, 100, 33, 4, 3},
                    Border{float32, 4, 1, 36, 10, true}, Border{int32, 60, 17, 8, 1},
                    Border{bfloat16, 72, 21, 8, 5}, Border{bfloat16, 200, 9, 16, 2, true}),
    border_name);

TEST_P(Subsample, TakesEveryStep) {
  examine_subsample();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Subsample,
                         testing::Values(Steps{16, 8, 1, 1}, Steps{101, 55, 3, 2},
                                         Steps{64, 33, 2, 1}, Steps{50, 41, 1, 5},
                                         Steps{257, 129, 8, 8}),
                         steps_name);

TEST_P(Slice, IsTheMatrixOfTwoDimensions) {
  examine_slice();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Slice,
                         testing::Values(Plane{{40, 37}, 0, 1, {0, 0}},
                                         Plane{{40, 37}, 1, 0, {0, 0}},
                                         Plane{{36, 5, 41}, 0, 2, {0, 3, 0}},
                                         Plane{{20, 33, 35}, 1, 2, {6, 0, 0}},
                                         Plane{{8, 9, 3, 34}, 3, 1, {7, 0, 2, 0}},
                                         Plane{{12, 5, 7, 3, 4}, 4, 2, {9, 4, 0, 1, 0}}),
                         plane_name);

TEST_P(Stencil, AddsTheNeighbors) {
  examine_stencil();
}
// The highest goes round the ring of planes several times.
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Stencil,
                         testing::Values(Grid{4, 1, 1}, Grid{8, 3, 2}, Grid{64, 16, 16},
                                         Grid{72, 35, 40}, Grid{132, 17, 301}),
                         grid_name);

// 512 x 512 x 512 floats: 512 MiB an array, ten times the L2 cache of an H200. Each array counts
// once: a halo that comes from memory again is the student's loss.
class lab5_tensor_ranks_bandwidth : public judge::Check {};
TEST_F(lab5_tensor_ranks_bandwidth, Stencil) {
  constexpr int n = 512;
  constexpr std::size_t bytes = std::size_t{n} * n * n * sizeof(float);
  const auto array = [](judge::BandwidthCase::Set set, int index) {
    return static_cast<float*>(set[index]);
  };
  measure({parts::stencil,
           {bytes, bytes},
           {judge::TimedBuffer{0}, judge::TimedBuffer{1}, std::int64_t{n}, std::int64_t{n},
            std::int64_t{n}},
           2 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             return fill_stencil(array(set, 0), array(set, 1), n, seed);
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_stencil(array(set, 0), array(set, 1), n, seed, result);
           }});
}

}  // namespace lab5
