// What a runner is asked for when a launcher is called on sets of buffers, one after the other.
#pragma once

#include <chrono>
#include <cstddef>

#include "contract/protocol/protocol.h"
#include "judge/call/runner_pool.h"
#include "judge/cases/bandwidth_case.h"

namespace judge {

// A call for each of `sets` sets, whose buffers were mapped in their order.
protocol::Request timed_request(const BandwidthCase& test, protocol::Command command,
                                std::size_t sets);

// Of a request under the clock, which may run for long when the kernel is slow; the judge stays
// awake for what a kernel of the quality sought could need.
inline Patience timed_patience(const RunnerPool& runners) {
  return {runners.limit(), std::chrono::milliseconds(500)};
}

}  // namespace judge
