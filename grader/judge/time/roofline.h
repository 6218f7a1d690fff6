// The copy roofline of this GPU: what the fastest known copies reach, in bytes read plus written.
#pragma once

#include <cstddef>
#include <vector>

#include "common/result.h"

namespace judge {

// Copies of `bytes` from the first half of the (device) buffers to the second half, timed as a
// submission is: a batch of launches, then a synchronization, by the host's clock; the median of
// `rounds`, for the better of cudaMemcpyAsync and a plain vector kernel. In GB/s.
common::Result<double> measure_roofline(const std::vector<void*>& buffers, std::size_t bytes,
                                        int rounds);

}  // namespace judge
