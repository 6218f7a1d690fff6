// Further cases of lab1-async-copy, which only the grader has: `make release` leaves this file out.
#include "checks/grader_lengths.h"
#include "checks/lab1-async-copy/cases.h"

namespace lab1 {

INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseTile, testing::Values(Length{8}, Length{1020}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseTwoStages,
                         testing::Values(Length{1020}, Length{2052}, Length{300'000}), test_name);

INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseRing,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::lengths_beyond_tile(tile_ints, judge::floats_per_vector),
                             {Length{1024}, Length{4097}, Length{300'002}})),
                         test_name);

}  // namespace lab1
