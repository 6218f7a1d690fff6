// Measures the bandwidth that a part of a submission reaches on a GPU.
#pragma once

#include <string>

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"
#include "judge/verdict/bandwidth_result.h"

namespace judge {

// A request is one call for each set of a rotating series, so that no call finds its data in the
// cache. Every round has new contents that nobody can know beforehand, all of which are checked
// after the clock has stopped; the GPU is at rest when it starts, and work that goes on after the
// reply counts and shows.
// `product_library`: where cublasLt is, for the case of a matrix product.
common::Result<BandwidthResult> measure_bandwidth(const BandwidthCase& test,
                                                  const std::string& product_library,
                                                  Device& device, RunnerPool& runners);

}  // namespace judge
