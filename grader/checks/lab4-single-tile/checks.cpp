// The tests of lab4-single-tile that students have too.
#include "checks/lab4-single-tile/cases.h"

namespace lab4 {
namespace {

constexpr TileShape shapes[] = {{64, 128}, {128, 64}, {32, 8},  {1, 8},
                                {8, 256},  {3, 24},   {256, 16}};

}  // namespace

TEST_P(Load, CopiesTheTileBitForBit) {
  examine_copy(parts::load);
}
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Load, testing::ValuesIn(shapes), test_name);

TEST_P(Store, CopiesTheTileBitForBit) {
  examine_copy(parts::store);
}
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Store, testing::ValuesIn(shapes), test_name);

TEST_P(Reduce, AddsTheTileWithOneRounding) {
  examine_reduce();
}
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Reduce, testing::ValuesIn(shapes), test_name);

TEST_P(TileIndex, AddsItsPlaceInItsTileToEveryElement) {
  examine_tile_index();
}
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, TileIndex,
                         testing::Values(MatrixShape{8, 8}, MatrixShape{4, 4}, MatrixShape{12, 20},
                                         MatrixShape{64, 128}),
                         matrix_name);

}  // namespace lab4
