// Further cases of lab11-bug-hunts, which only the grader has: `make release` leaves this file out.
#include "checks/lab11-bug-hunts/cases.h"

namespace lab11 {

// The last has more tiles for each of two CTAs than there could be stages.
INSTANTIATE_TEST_SUITE_P(lab11_bug_hunts, Hunted,
                         testing::Combine(testing::ValuesIn(hunts), testing::Values(20, 120)),
                         test_name);

}  // namespace lab11
