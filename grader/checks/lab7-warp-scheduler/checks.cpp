// The tests of lab7-warp-scheduler that students have too.
#include <bit>

#include "checks/lab7-warp-scheduler/bandwidth.h"
#include "checks/lab7-warp-scheduler/cases.h"
#include "judge/session/large_copies.h"

namespace lab7 {

TEST_P(MultiwarpPipeline, CopiesBitForBit) {
  examine_copy();
}
// 2^21 is a whole number of anybody's tiles.
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, MultiwarpPipeline,
                         testing::ValuesIn(judge::with_lengths<std::size_t>(
                             judge::short_lengths(judge::bfloat16_per_vector),
                             {4096, 4097, 100'003, 2'097'152})),
                         name_of_count);

class CopyOfManyLaps : public MultiwarpPipeline {};
TEST_P(CopyOfManyLaps, CopiesBitForBit) {
  examine_copy(judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, CopyOfManyLaps, testing::Values(3'000'001),
                         name_of_count);

// They go round the ring of stages more than once in every CTA of an H200.
class LongCopy : public judge::LongCases<MultiwarpPipeline> {};
TEST_P(LongCopy, CopiesBitForBit) {
  examine_copy();
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, LongCopy, testing::Values(35'000'001), name_of_count);

// More than 2 GiB: their offsets in bytes do not fit into an int.
class LargeCopy : public judge::LargeCopies {};
TEST_P(LargeCopy, CopiesBitForBit) {
  examine_copy_unless_lost(parts::pipeline, "100003 elements");
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, LargeCopy, testing::Values(1'107'296'261),
                         testing::PrintToStringParamName());
// The one size of 6.S894's Lab 9, for a copy that is right at no other.
class OneSizeOfCopy : public judge::LargeCopies {};
TEST_P(OneSizeOfCopy, CopiesBitForBit) {
  examine_copy_where_wrong(parts::pipeline, "2097152 elements");
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, OneSizeOfCopy, testing::Values(692'060'160),
                         testing::PrintToStringParamName());

class AxpyOfManyLaps : public Axpy {};
TEST_P(AxpyOfManyLaps, AddsAMultiple) {
  examine_axpy(judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, AxpyOfManyLaps, testing::Values(Scaled{500'003}),
                         name_of_scaled);

class LongAxpy : public judge::LongCases<Axpy> {};
TEST_P(LongAxpy, AddsAMultiple) {
  examine_axpy();
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, LongAxpy, testing::Values(Scaled{17'500'003}),
                         name_of_scaled);

TEST_P(Axpy, AddsAMultiple) {
  examine_axpy();
}
INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, Axpy,
                         testing::ValuesIn(judge::with_lengths<Scaled>(
                             judge::short_lengths(judge::floats_per_vector),
                             {Scaled{4096}, Scaled{4099}, Scaled{1000, 1.0F}, Scaled{1000, 0.0F},
                              Scaled{8192, -0.5F}, Scaled{100'000, 2.0F, 16}, Scaled{300'003}})),
                         name_of_scaled);

// 512 MiB an array: ten times the L2 cache of an H200.
class lab7_warp_scheduler_bandwidth : public judge::Check {};
TEST_F(lab7_warp_scheduler_bandwidth, Axpy) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr std::size_t floats = bytes / sizeof(float);
  constexpr double a = 3;
  const auto array = [](judge::BandwidthCase::Set set, int index) {
    return static_cast<float*>(set[index]);
  };
  measure({parts::axpy,
           {bytes, bytes},
           {std::bit_cast<std::int64_t>(a), judge::TimedBuffer{0}, judge::TimedBuffer{1},
            std::int64_t{floats}},
           3 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             return fill_axpy(array(set, 0), array(set, 1), floats, seed);
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_axpy(array(set, 0), array(set, 1), floats, a, seed, result);
           }});
}

}  // namespace lab7
