// The tests of lab3-bulk-copy that students have too.
#include "checks/lab3-bulk-copy/cases.h"

namespace lab3 {

TEST_P(OneTile, AddsOneToEveryElement) {
  examine_add_one(parts::one_tile);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, OneTile,
                         testing::Values(Length{4}, Length{1024}, Length{8192},
                                         Length{100, Alignment::only_16_bytes}),
                         test_name);

TEST_P(AnyLength, AddsOneToEveryElement) {
  examine_add_one(parts::any_length);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, AnyLength,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::short_lengths(judge::floats_per_vector),
                             {Length{1023}, Length{1024}, Length{1025},
                              Length{4099, Alignment::only_16_bytes}, Length{100'003}})),
                         test_name);

TEST_P(Pipeline, AddsOneToEveryElement) {
  examine_add_one(parts::pipeline);
}
INSTANTIATE_TEST_SUITE_P(
    lab3_bulk_copy, Pipeline,
    testing::ValuesIn(judge::with_lengths<Length>(judge::short_lengths(judge::floats_per_vector),
                                                  {Length{4095}, Length{65'536}, Length{300'003}})),
    test_name);

class PipelineOfManyLaps : public AddOne {};
TEST_P(PipelineOfManyLaps, AddsOneToEveryElement) {
  examine_add_one(parts::pipeline, judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, PipelineOfManyLaps, testing::Values(Length{500'003}),
                         test_name);

// Goes round the ring of stages more than twice in every CTA of an H200, also where the grid has
// four CTAs for each SM, whatever the length: each has eight tiles of 16 KiB.
class LongPipeline : public judge::LongCases<AddOne> {};
TEST_P(LongPipeline, AddsOneToEveryElement) {
  examine_add_one(parts::pipeline);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, LongPipeline, testing::Values(Length{17'500'003}),
                         test_name);

// 512 MiB an array: ten times the L2 cache of an H200.
class lab3_bulk_copy_bandwidth : public judge::Check {};
TEST_F(lab3_bulk_copy_bandwidth, Pipeline) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr std::size_t ints = bytes / sizeof(std::int32_t);
  const auto data = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[0]);
  };
  measure({parts::pipeline,
           {bytes},
           {judge::TimedBuffer{0}, std::int64_t{ints}},
           2 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             return judge::fill_words(data(set), ints, seed);
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return judge::check_words(data(set), ints, seed, 1, result);
           }});
}

}  // namespace lab3
