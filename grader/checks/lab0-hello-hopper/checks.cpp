// The tests of lab0-hello-hopper that students have too.
#include <map>

#include "checks/lab0-hello-hopper/cases.h"

namespace lab0 {

std::int32_t attribute(cudaDeviceAttr which) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
  return value;
}

class lab0_hello_hopper : public Facts {};
TEST_F(lab0_hello_hopper, FactsAreThoseOfThisGpu) {
  examine_facts("this GPU", attribute, {});
}

// No fact of it is as an H200's: who knows those by heart has nothing right here.
TEST_F(lab0_hello_hopper, FactsAreThoseOfAnotherGpu) {
  const std::map<cudaDeviceAttr, std::int32_t> other{
      {cudaDevAttrMultiProcessorCount, 78},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 1536},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 32'768},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 102'400},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 101'376},
      {cudaDevAttrL2CacheSize, 33'554'432},
      {cudaDevAttrMemoryClockRate, 1'593'000},
      {cudaDevAttrGlobalMemoryBusWidth, 5120}};
  std::vector<protocol::Attribute> attributes;
  for (const auto& [which, value] : other) attributes.push_back({which, value});
  examine_facts(
      "another GPU", [&](cudaDeviceAttr which) { return other.at(which); }, attributes);
}

TEST_P(Copy, CopiesEveryFloat) {
  examine_copy(parts::copy);
}
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, Copy,
                         testing::Values(Length{0}, Length{1}, Length{256}, Length{257},
                                         Length{100'003}),
                         test_name);

TEST_P(VectorCopy, CopiesEveryFloat) {
  examine_copy(parts::vector_copy);
}
INSTANTIATE_TEST_SUITE_P(
    lab0_hello_hopper, VectorCopy,
    testing::ValuesIn(judge::with_lengths<Length>(judge::short_lengths(judge::floats_per_vector),
                                                  {Length{1024}, Length{1027}, Length{100'003}})),
    test_name);

TEST_P(GbPerS, CountsBytesReadAndWritten) {
  const auto [bytes, milliseconds] = GetParam();
  const double gb_per_s = 2.0 * static_cast<double>(bytes) / milliseconds / 1e6;
  examine({parts::gb_per_s,
           common::concat(bytes, " bytes in ", milliseconds, " ms"),
           {judge::output_within({1e-6, 0}, "copy_gb_per_s",
                                 judge::tensor({1}, std::vector{static_cast<float>(gb_per_s)})),
            judge::integer(bytes), judge::real(milliseconds)}});
}
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, GbPerS,
                         testing::Values(Timing{1'000'000'000, 1.0}, Timing{1 << 20, 0.25}),
                         timing_name);

// 512 MiB an array: ten times the L2 cache of an H200.
class lab0_hello_hopper_bandwidth : public judge::Check {};
TEST_F(lab0_hello_hopper_bandwidth, VectorCopy) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  constexpr std::size_t words = bytes / sizeof(std::uint32_t);
  const auto dest = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[0]);
  };
  const auto src = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[1]);
  };
  measure({parts::vector_copy,
           {bytes, bytes},
           {judge::TimedBuffer{0}, judge::TimedBuffer{1}, std::int64_t{words}},
           2 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             const cudaError_t error = judge::fill_words(dest(set), words, ~seed);
             return error == cudaSuccess ? judge::fill_words(src(set), words, seed) : error;
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return judge::check_words(dest(set), words, seed, 0, result);
           }});
}

}  // namespace lab0
