// The tests of lab3-bulk-copy: every element of an array of ints becomes one more.
#include "judge/check.h"

namespace {

using judge::Part;
using judge::tensor;

constexpr Part kOneTile{"one-tile", "void launch_add_one_tile(int *data, int count)"};
constexpr Part kAnyLength{"any-length", "void launch_add_one(int *data, size_t count)"};
constexpr Part kPipeline{"pipeline", "void launch_add_one_pipeline(int *data, size_t count)"};

// Bulk copies need addresses that are multiples of 16 bytes, and the labs promise no more than
// that. cudaMalloc gives multiples of 256, behind which a stricter assumption would hide.
enum class Alignment { kOfCudaMalloc, kOnly16Bytes };

struct Length {
  std::size_t ints;
  Alignment alignment = Alignment::kOfCudaMalloc;
};

std::string in_words(const Length& length) {
  return judge::counted(length.ints, "int") +
         (length.alignment == Alignment::kOnly16Bytes ? ", aligned to 16 bytes only" : "");
}

std::string test_name(const testing::TestParamInfo<Length>& info) {
  return judge::concat(info.param.ints,
                       info.param.alignment == Alignment::kOnly16Bytes ? "_aligned_to_16" : "");
}

class AddOne : public judge::CheckWith<Length> {
 protected:
  void examine_add_one(const Part& part) {
    const Length length = GetParam();
    const std::vector<std::int32_t> before = random().integers(length.ints);
    std::vector<std::int32_t> after = before;
    for (std::int32_t& value : after) ++value;

    const std::size_t misalignment = length.alignment == Alignment::kOnly16Bytes ? 16 : 0;
    examine({part,
             in_words(length),
             {judge::in_place("data", tensor({length.ints}, before), tensor({length.ints}, after),
                              misalignment),
              judge::integer(static_cast<std::int64_t>(length.ints))}});
  }
};

class OneTile : public AddOne {};
TEST_P(OneTile, AddsOneToEveryElement) {
  examine_add_one(kOneTile);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, OneTile,
                         testing::Values(Length{4}, Length{1024}, Length{1028}, Length{8192},
                                         Length{100, Alignment::kOnly16Bytes}),
                         test_name);

class AnyLength : public AddOne {};
TEST_P(AnyLength, AddsOneToEveryElement) {
  examine_add_one(kAnyLength);
}
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, AnyLength,
                         testing::Values(Length{0}, Length{1}, Length{2}, Length{3}, Length{4},
                                         Length{5}, Length{1023}, Length{1024}, Length{1025},
                                         Length{4095}, Length{4096}, Length{4097},
                                         Length{4099, Alignment::kOnly16Bytes}, Length{1'000'003}),
                         test_name);

class Pipeline : public AddOne {};
TEST_P(Pipeline, AddsOneToEveryElement) {
  examine_add_one(kPipeline);
}
// The long ones go round the ring of stages many times in every CTA of an H200.
INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, Pipeline,
                         testing::Values(Length{0}, Length{3}, Length{4}, Length{4095},
                                         Length{65'536}, Length{1'000'001, Alignment::kOnly16Bytes},
                                         Length{2'097'152}, Length{14'000'003}),
                         test_name);

// 512 MiB an array: ten times the L2 cache of an H200.
class lab3_bulk_copy_bandwidth : public judge::Check {};
TEST_F(lab3_bulk_copy_bandwidth, Pipeline) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr std::size_t ints = bytes / sizeof(std::int32_t);
  const auto data = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[0]);
  };
  measure({kPipeline,
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

}  // namespace
