// Further cases of lab0-hello-hopper, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab0-hello-hopper/cases.h"

namespace lab0 {

INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, Copy,
                         testing::Values(Length{2}, Length{255}, Length{1'000'000}), test_name);

INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, VectorCopy,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::lengths_beyond_tile(1024, judge::floats_per_vector),
                             {Length{1023}, Length{1025}, Length{4097}, Length{1'000'002}})),
                         test_name);

// More CTAs than an H200 holds at once, for whom that is a natural limit.
class LongCopyOfFloats : public judge::LongCases<CopyCheck> {};
TEST_P(LongCopyOfFloats, CopiesEveryFloat) {
  examine_copy(parts::copy);
}
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, LongCopyOfFloats, testing::Values(Length{2'000'003}),
                         test_name);
class LongVectorCopy : public judge::LongCases<CopyCheck> {};
TEST_P(LongVectorCopy, CopiesEveryFloat) {
  examine_copy(parts::vector_copy);
}
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, LongVectorCopy, testing::Values(Length{5'000'003}),
                         test_name);

// Beyond 2^31 bytes; a time that is no round number.
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, GbPerS, testing::Values(Timing{5'000'000'000, 2.345}),
                         timing_name);

}  // namespace lab0
