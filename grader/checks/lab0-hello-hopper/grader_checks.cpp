// Further cases of lab0-hello-hopper, which only the grader has: `make release` leaves this file
// out.
#include <map>

#include "checks/grader_lengths.h"
#include "checks/lab0-hello-hopper/cases.h"

namespace lab0 {

// The two GPUs that students know are soon known by heart. This one is another one each time.
class DrawnGpu : public Facts {
 protected:
  // A multiple of `step` in [least, most).
  std::int32_t draw(std::int32_t least, std::int32_t most, std::int32_t step) {
    const auto choices = static_cast<std::uint64_t>((most - least) / step);
    return least + static_cast<std::int32_t>(random().bits() % choices) * step;
  }
};
TEST_F(DrawnGpu, FactsAreThoseOfAGpuThatNobodyKnows) {
  const std::map<cudaDeviceAttr, std::int32_t> drawn{
      {cudaDevAttrMultiProcessorCount, draw(10, 250, 1)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, draw(1024, 3072, 32)},
      {cudaDevAttrMaxRegistersPerMultiprocessor, draw(16'384, 131'072, 256)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, draw(131'072, 262'144, 1024)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, draw(49'152, 131'072, 1024)},
      {cudaDevAttrL2CacheSize, draw(1 << 22, 1 << 27, 4096)},
      {cudaDevAttrMemoryClockRate, draw(500'000, 4'000'000, 1000)},
      {cudaDevAttrGlobalMemoryBusWidth, draw(256, 8192, 64)}};
  std::vector<protocol::Attribute> attributes;
  for (const auto& [which, value] : drawn) attributes.push_back({which, value});
  examine_facts(
      "a GPU that nobody knows", [&](cudaDeviceAttr which) { return drawn.at(which); }, attributes);
}

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
