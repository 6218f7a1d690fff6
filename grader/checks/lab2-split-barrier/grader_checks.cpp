// Further cases of lab2-split-barrier, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab2-split-barrier/cases.h"

namespace lab2 {

INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, Phases, testing::Values(4, 257), test_name);
// More rounds than barriers fit into shared memory.
class LongPhases : public judge::LongCases<SplitBarrier> {};
TEST_P(LongPhases, EveryRoundAddsTheNeighborsNumberOfBefore) {
  examine_phases();
}
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, LongPhases, testing::Values(30'001), test_name);
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, SeveralArrivals, testing::Values(31, 100'007),
                         test_name);
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, WorkWhileWaiting,
                         testing::Values(Numbers{33}, Numbers{8'191}, Numbers{1, Range::positive},
                                         Numbers{225, Range::positive},
                                         Numbers{8'191, Range::positive},
                                         Numbers{1, Range::largest}, Numbers{8'192, Range::largest},
                                         Numbers{1, Range::smallest},
                                         Numbers{6'001, Range::smallest}),
                         numbers_name);
INSTANTIATE_TEST_SUITE_P(lab2_split_barrier, PingPong, testing::Values(127, 256, 100'001),
                         test_name);

}  // namespace lab2
