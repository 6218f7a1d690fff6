// The tests of lab1-async-copy that students have too.
#include "checks/lab1-async-copy/bandwidth.h"
#include "checks/lab1-async-copy/cases.h"

namespace lab1 {

TEST_P(ReverseTile, TurnsTheTileBackToFront) {
  examine_reverse(parts::one_tile);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseTile,
                         testing::Values(Length{4}, Length{1000}, Length{1024}), test_name);

TEST_P(ReverseTwoStages, TurnsEveryTileBackToFront) {
  examine_reverse(parts::two_stages);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseTwoStages,
                         testing::Values(Length{0}, Length{4}, Length{1024}, Length{1028},
                                         Length{500'004}),
                         test_name);

class TwoStagesOfManyLaps : public Reverse {};
TEST_P(TwoStagesOfManyLaps, TurnsEveryTileBackToFront) {
  examine_reverse(parts::two_stages, judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, TwoStagesOfManyLaps, testing::Values(Length{200'004}),
                         test_name);

TEST_P(ReverseRing, TurnsEveryTileBackToFront) {
  examine_reverse(parts::ring);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, ReverseRing,
                         testing::ValuesIn(judge::with_lengths<Length>(
                             judge::short_lengths(judge::floats_per_vector),
                             {Length{1023}, Length{1025}, Length{100'003}, Length{300'001}})),
                         test_name);

class RingOfManyLaps : public Reverse {};
TEST_P(RingOfManyLaps, TurnsEveryTileBackToFront) {
  examine_reverse(parts::ring, judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, RingOfManyLaps, testing::Values(Length{200'003}),
                         test_name);

// They go round their stages twice and more in every CTA of an H200.
class LongTwoStages : public judge::LongCases<Reverse> {};
TEST_P(LongTwoStages, TurnsEveryTileBackToFront) {
  examine_reverse(parts::two_stages);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, LongTwoStages, testing::Values(Length{4'000'004}),
                         test_name);
class LongRing : public judge::LongCases<Reverse> {};
TEST_P(LongRing, TurnsEveryTileBackToFront) {
  examine_reverse(parts::ring);
}
INSTANTIATE_TEST_SUITE_P(lab1_async_copy, LongRing, testing::Values(Length{8'000'001}), test_name);

// 512 MiB an array: ten times the L2 cache of an H200.
class lab1_async_copy_bandwidth : public judge::Check {};
TEST_F(lab1_async_copy_bandwidth, Ring) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr std::size_t words = bytes / sizeof(std::uint32_t);
  static_assert(words % tile_ints == 0, "check_reversed takes whole tiles");
  const auto dest = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[0]);
  };
  const auto src = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[1]);
  };
  measure({parts::ring,
           {bytes, bytes},
           {judge::TimedBuffer{0}, judge::TimedBuffer{1}, std::int64_t{words}},
           2 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             const cudaError_t error = judge::fill_words(dest(set), words, ~seed);
             return error == cudaSuccess ? judge::fill_words(src(set), words, seed) : error;
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_reversed(dest(set), words, tile_ints, seed, result);
           }});
}

}  // namespace lab1
