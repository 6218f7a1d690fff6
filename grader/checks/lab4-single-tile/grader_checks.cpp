// Further cases of lab4-single-tile, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab4-single-tile/cases.h"

namespace lab4 {
namespace {

constexpr TileShape further_shapes[] = {{2, 16}, {17, 40}, {256, 64}, {96, 200}};

}  // namespace

INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Load, testing::ValuesIn(further_shapes), test_name);
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Store, testing::ValuesIn(further_shapes), test_name);
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, Reduce, testing::ValuesIn(further_shapes), test_name);

INSTANTIATE_TEST_SUITE_P(lab4_single_tile, TileIndex,
                         testing::Values(MatrixShape{4, 8}, MatrixShape{20, 12},
                                         MatrixShape{8, 256}, MatrixShape{132, 36}),
                         matrix_name);

// More tiles than an H200 holds CTAs at once, for whom that is a natural limit.
class LongTileIndex : public judge::LongCases<TileIndex> {};
TEST_P(LongTileIndex, AddsItsPlaceInItsTileToEveryElement) {
  examine_tile_index();
}
INSTANTIATE_TEST_SUITE_P(lab4_single_tile, LongTileIndex, testing::Values(MatrixShape{260, 268}),
                         matrix_name);

}  // namespace lab4
