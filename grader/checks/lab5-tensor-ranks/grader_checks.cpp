// Further cases of lab5-tensor-ranks, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab5-tensor-ranks/cases.h"

namespace lab5 {

INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, CopyBoxes,
                         testing::Values(Whole{float32, {4}}, Whole{bfloat16, {8, 1}},
                                         Whole{int32, {12, 13}}, Whole{bfloat16, {8, 6, 11}},
                                         Whole{float32, {16, 4, 4, 4}},
                                         Whole{int32, {28, 1, 6, 3, 5}}),
                         whole_name);

INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, PadMatrix,
                         testing::Values(Border{float32, 36, 5, 0, 7}, Border{float32, 8, 9, 12, 0},
                                         Border{int32, 4, 50, 40, 20},
                                         Border{bfloat16, 8, 3, 64, 1, true},
                                         Border{float32, 132, 10, 4, 1, true}),
                         border_name);

INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Subsample,
                         testing::Values(Steps{1, 1, 8, 8}, Steps{129, 9, 7, 4},
                                         Steps{33, 17, 2, 2}, Steps{100, 70, 5, 3}),
                         steps_name);

INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Slice,
                         testing::Values(Plane{{68, 3, 5}, 2, 0, {0, 1, 0}},
                                         Plane{{4, 33, 2, 3}, 1, 3, {3, 0, 1, 0}},
                                         Plane{{8, 3, 4, 5, 70}, 0, 4, {0, 2, 3, 4, 0}},
                                         Plane{{16, 6, 35, 2, 3}, 2, 1, {5, 0, 0, 1, 2}},
                                         Plane{{8, 2, 3, 4, 9}, 3, 4, {2, 1, 2, 0, 0}}),
                         plane_name);

// Longer than any box in each dimension but one, for whom a box is as long as the tensor.
INSTANTIATE_TEST_SUITE_P(WideAndLong, CopyBoxes,
                         testing::Values(Whole{float32, {300, 3}}, Whole{int32, {4, 260}},
                                         Whole{bfloat16, {8, 2, 264}},
                                         Whole{float32, {4, 3, 259, 2}},
                                         Whole{float32, {4, 2, 2, 260, 2}},
                                         Whole{int32, {4, 2, 2, 2, 258}}),
                         whole_name);
INSTANTIATE_TEST_SUITE_P(WideAndLong, PadMatrix, testing::Values(Border{float32, 600, 5, 8, 3}),
                         border_name);
INSTANTIATE_TEST_SUITE_P(WideAndLong, Subsample, testing::Values(Steps{700, 5, 1, 2}), steps_name);
INSTANTIATE_TEST_SUITE_P(WideAndLong, Slice,
                         testing::Values(Plane{{520, 3, 5}, 0, 2, {0, 1, 0}},
                                         Plane{{4, 300, 7}, 1, 2, {3, 0, 0}}),
                         plane_name);
// Wider than a tile can be, and higher than all planes that fit into shared memory.
INSTANTIATE_TEST_SUITE_P(WideAndLong, Stencil, testing::Values(Grid{1032, 9, 5}, Grid{4, 2, 3000}),
                         grid_name);

INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, Stencil,
                         testing::Values(Grid{4, 1, 3}, Grid{68, 15, 9}, Grid{200, 33, 130},
                                         Grid{12, 70, 129}, Grid{72, 18, 11, Values::eighths},
                                         Grid{36, 20, 12, Values::subnormal},
                                         Grid{132, 17, 13, Values::with_infinities}),
                         grid_name);

// More boxes, tiles and planes than an H200 holds CTAs at once, for whom that is a natural limit.
class LongBoxes : public judge::LongCases<CopyBoxes> {};
TEST_P(LongBoxes, CopiesBitForBit) {
  examine_copy();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, LongBoxes, testing::Values(Whole{int32, {80'004}}),
                         whole_name);
class HighPad : public judge::LongCases<PadMatrix> {};
TEST_P(HighPad, PutsABorderRound) {
  examine_pad();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, HighPad,
                         testing::Values(Border{float32, 4, 40'000, 0, 1}), border_name);
class HighSubsample : public judge::LongCases<Subsample> {};
TEST_P(HighSubsample, TakesEveryStep) {
  examine_subsample();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, HighSubsample, testing::Values(Steps{3, 40'000, 2, 1}),
                         steps_name);
class HighSlice : public judge::LongCases<Slice> {};
TEST_P(HighSlice, IsTheMatrixOfTwoDimensions) {
  examine_slice();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, HighSlice,
                         testing::Values(Plane{{4, 45'000}, 0, 1, {0, 0}}), plane_name);
class WideStencil : public judge::LongCases<Stencil> {};
TEST_P(WideStencil, AddsTheNeighbors) {
  examine_stencil();
}
INSTANTIATE_TEST_SUITE_P(lab5_tensor_ranks, WideStencil, testing::Values(Grid{4, 8'500, 1}),
                         grid_name);

}  // namespace lab5
