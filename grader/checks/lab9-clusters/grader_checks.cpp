// Further cases of lab9-clusters, which only the grader has: `make release` leaves this file out.
#include "checks/lab9-clusters/cases.h"

namespace lab9 {

INSTANTIATE_TEST_SUITE_P(lab9_clusters, ClusterMulticast, testing::Values(2, 133), name_of_count);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, RowBroadcast,
                         testing::Values(Matrix{1, 4096}, Matrix{63, 1028}, Matrix{130, 8188},
                                         Matrix{1000, 500}, Matrix{18, 16'388}),
                         name_of_matrix);

// Rows that are longer than the shared memory of a cluster.
INSTANTIATE_TEST_SUITE_P(LongRows, RowBroadcast, testing::Values(Matrix{2, 500'004}),
                         name_of_matrix);
INSTANTIATE_TEST_SUITE_P(LongRows, AddRow, testing::Values(Matrix{4, 65'536}), name_of_matrix);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, Rotate,
                         testing::Values(Journey{8, 0}, Journey{4, 7}, Journey{160, 2}),
                         name_of_journey);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, AddRow, testing::Values(Matrix{12, 4096}), name_of_matrix);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, CtaPair, testing::Values(3, 140), name_of_count);

// More CTAs than an H200 holds at once, for whom that is a natural limit.
class ManyMulticasts : public judge::LongCases<ClusterMulticast> {};
TEST_P(ManyMulticasts, BringTheTileToEveryCta) {
  examine_multicast();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, ManyMulticasts, testing::Values(1100), name_of_count);
class ManyRows : public judge::LongCases<RowBroadcast> {};
TEST_P(ManyRows, AreFilled) {
  examine_broadcast();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, ManyRows, testing::Values(Matrix{17'601, 4}),
                         name_of_matrix);
class ManyTiles : public judge::LongCases<Rotate> {};
TEST_P(ManyTiles, ComeToTheirPlaces) {
  examine_rotate();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, ManyTiles, testing::Values(Journey{4400, 1}),
                         name_of_journey);
class AddToManyRows : public judge::LongCases<AddRow> {};
TEST_P(AddToManyRows, AddsTheRowToEveryRow) {
  examine_add_row();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, AddToManyRows, testing::Values(Matrix{4400, 1024}),
                         name_of_matrix);
class ManyPairs : public judge::LongCases<CtaPair> {};
TEST_P(ManyPairs, AddTheTilesOfBothCtas) {
  examine_pairs();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, ManyPairs, testing::Values(2200), name_of_count);

}  // namespace lab9
