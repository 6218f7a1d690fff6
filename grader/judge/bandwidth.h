// Measures the bandwidth that a part of a submission reaches on a GPU.
#pragma once

#include <cstdint>

#include "common/result.h"
#include "judge/call_case.h"
#include "judge/device.h"
#include "judge/report.h"
#include "judge/runner_pool.h"

namespace judge {

// A launcher (words, count) that adds a constant to every 32-bit word of an array in place.
struct BandwidthCase {
  Part part;
  std::size_t words;    // in one array; each array is several times the L2 cache
  std::uint32_t delta;  // what one call adds
};

// A request is one call for each array of a rotating set, so that no call finds its data in the
// cache; every round has new contents, all of which are checked after the clock has stopped.
common::Result<BandwidthResult> measure_bandwidth(const BandwidthCase& test, Device& device,
                                                  RunnerPool& runners, std::uint64_t seed);

}  // namespace judge
