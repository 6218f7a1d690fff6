// Further cases of lab3-bulk-copy, which only the grader has: `make release` leaves this file out.
#include "checks/grader_lengths.h"
#include "checks/lab3-bulk-copy/cases.h"

namespace lab3 {

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, OneTile,
                         testing::Values(Length{8}, Length{1028}, Length{8188},
                                         Length{4092, Alignment::only_16_bytes}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, AnyLength,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::lengths_beyond_tile(1024, judge::floats_per_vector),
                             {Length{4095}, Length{4096}, Length{4097}, Length{1'000'003}})),
                         test_name);

// More tiles than an H200 holds CTAs at once, for whom that is a natural limit.
class LongAnyLength : public judge::LongCases<AddOne> {};
TEST_P(LongAnyLength, AddsOneToEveryElement) {
  examine_add_one(parts::any_length);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, LongAnyLength, testing::Values(Length{5'000'003}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, Pipeline,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::lengths_beyond_tile(8192, judge::floats_per_vector),
                             {Length{300'001, Alignment::only_16_bytes}, Length{524'288}})),
                         test_name);

}  // namespace lab3
