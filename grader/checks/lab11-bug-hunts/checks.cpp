// The tests of lab11-bug-hunts that students have too.
#include "checks/lab11-bug-hunts/cases.h"

namespace lab11 {

TEST_P(Hunted, AddsOne) {
  examine_hunt();
}
INSTANTIATE_TEST_SUITE_P(lab11_bug_hunts, Hunted,
                         testing::Combine(testing::ValuesIn(hunts), testing::Values(4, 12)),
                         test_name);

}  // namespace lab11
