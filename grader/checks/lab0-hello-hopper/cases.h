// What the tests of lab0-hello-hopper have in common: its parts, and how a copy is examined.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>
#include <variant>

#include "judge/arrays/lengths.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab0 {

namespace parts {
#include "checks/lab0-hello-hopper/parts.def"
}

class Facts : public judge::Check {
 protected:
  // Of a device with these attributes.
  template <class Attribute>
  void examine_facts(const char* device, Attribute attribute,
                     const std::vector<protocol::Attribute>& attributes) {
    constexpr std::int64_t latency_ns = 600;
    const std::int32_t sms = attribute(cudaDevAttrMultiProcessorCount);
    const std::int64_t kb_per_s = std::int64_t{attribute(cudaDevAttrMemoryClockRate)} * 2 *
                                  attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
    const std::int64_t gb_per_s = kb_per_s / 1'000'000;
    // In the order of DeviceFacts.
    const std::vector<std::int32_t> facts{sms,
                                          attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
                                          attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
                                          attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                                          attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                                          attribute(cudaDevAttrL2CacheSize),
                                          static_cast<std::int32_t>(gb_per_s),
                                          static_cast<std::int32_t>(gb_per_s * latency_ns / sms)};
    // Also from the peak as it was before it was rounded down.
    std::vector<std::int32_t> or_else = facts;
    or_else.back() = static_cast<std::int32_t>(kb_per_s * latency_ns / sms / 1'000'000);
    const std::vector<std::size_t> shape{facts.size()};
    judge::CallArgument output =
        judge::output_either("facts", judge::tensor(shape, facts), judge::tensor(shape, or_else));
    std::get<judge::BufferArgument>(output).element_names = {"sms",
                                                             "max_threads_per_sm",
                                                             "registers_per_sm",
                                                             "shared_bytes_per_sm",
                                                             "shared_bytes_per_cta",
                                                             "l2_bytes",
                                                             "peak_gb_per_s",
                                                             "bytes_in_flight_per_sm"};
    examine({parts::facts, device, {std::move(output)}, 0, attributes});
  }
};

struct Length {
  std::size_t floats;
};

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return common::concat(info.param.floats);
}

class CopyCheck : public judge::CheckWith<Length> {
 protected:
  void examine_copy(const judge::Part& part) {
    if (!wants(part)) GTEST_SKIP();
    const std::size_t count = GetParam().floats;
    const judge::Tensor src =
        judge::tensor({count}, random().any_floats(count, judge::Subnormals::drawn));
    examine({part,
             common::counted(count, "float"),
             {judge::copied("dest", src), judge::input("src", src),
              judge::integer(static_cast<std::int64_t>(count))}});
  }
};
class Copy : public CopyCheck {};
class VectorCopy : public CopyCheck {};

// A copy of `bytes` in `milliseconds`.
struct Timing {
  std::int64_t bytes;
  double milliseconds;
};

inline std::string timing_name(const testing::TestParamInfo<Timing>& info) {
  return common::concat(info.param.bytes);
}

class GbPerS : public judge::CheckWith<Timing> {};

}  // namespace lab0
