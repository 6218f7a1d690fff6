// The tests of lab0-hello-hopper that students have too.
#include <cuda_runtime_api.h>

#include "checks/lab0-hello-hopper/cases.h"

namespace lab0 {

std::int32_t attribute(cudaDeviceAttr which) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
  return value;
}

// In the order of DeviceFacts.
std::vector<std::int32_t> facts_of_this_gpu() {
  constexpr std::int64_t latency_ns = 600;
  const std::int32_t sms = attribute(cudaDevAttrMultiProcessorCount);
  const std::int64_t gb_per_s = std::int64_t{attribute(cudaDevAttrMemoryClockRate)} * 2 *
                                attribute(cudaDevAttrGlobalMemoryBusWidth) / 8 / 1'000'000;
  return {sms,
          attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
          attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
          attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
          attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
          attribute(cudaDevAttrL2CacheSize),
          static_cast<std::int32_t>(gb_per_s),
          static_cast<std::int32_t>(gb_per_s * latency_ns / sms)};
}

class lab0_hello_hopper : public judge::Check {};
TEST_F(lab0_hello_hopper, FactsAreThoseOfThisGpu) {
  const std::vector<std::int32_t> facts = facts_of_this_gpu();
  examine(
      {parts::facts, "this GPU", {judge::output("facts", judge::tensor({facts.size()}, facts))}});
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
INSTANTIATE_TEST_SUITE_P(lab0_hello_hopper, VectorCopy,
                         testing::Values(Length{0}, Length{1}, Length{3}, Length{4}, Length{1024},
                                         Length{1027}, Length{100'003}),
                         test_name);

TEST_P(GbPerS, CountsBytesReadAndWritten) {
  const auto [bytes, milliseconds] = GetParam();
  const double gb_per_s = 2.0 * static_cast<double>(bytes) / milliseconds / 1e6;
  examine({parts::gb_per_s,
           judge::concat(bytes, " bytes in ", milliseconds, " ms"),
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
