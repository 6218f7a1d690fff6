// The tests of lab2-split-barrier that students have too.
#include "checks/lab2-split-barrier/cases.h"

namespace lab2 {

TEST_P(Phases, EveryRoundAddsTheNeighborsNumberOfBefore) {
  examine_phases();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, Phases, testing::Values(0, 1, 2, 3, 100), test_name);

TEST_P(PhasesHandedOver, MakeTheResult) {
  examine_phases();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, PhasesHandedOver, testing::Values(1, 3), test_name);

TEST_P(SeveralArrivals, AddsUpAllNumbers) {
  examine_sum();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, SeveralArrivals, testing::Values(0, 1, 255, 100'000),
                         test_name);

TEST_P(SumHandedOver, MakesTheResult) {
  examine_sum();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, SumHandedOver, testing::Values(1'380, 1'852),
                         test_name);

TEST_P(WorkWhileWaiting, SubtractsTheSmallestFromAll) {
  examine_smallest();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, WorkWhileWaiting,
                         testing::Values(Numbers{1}, Numbers{224}, Numbers{5'000}, Numbers{8'192},
                                         Numbers{1'000, Range::positive},
                                         Numbers{7'000, Range::largest}),
                         numbers_name);

TEST_P(SmallestHandedOver, MakesTheResult) {
  examine_smallest();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, SmallestHandedOver, testing::Values(3'000), test_name);

TEST_P(PingPong, TurnsEveryTileBackToFront) {
  examine_ping_pong();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, PingPong, testing::Values(0, 1, 128, 129, 10'000),
                         test_name);

TEST_P(TilesHandedOver, MakeTheResult) {
  examine_ping_pong();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, TilesHandedOver, testing::Values(1'000), test_name);

}  // namespace lab2
