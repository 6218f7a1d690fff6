// One measurement of a launcher's bandwidth as data: what it is called with, and how its buffers
// are filled and checked on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "judge/arrays/stream_kernels.h"
#include "judge/cases/call_case.h"

namespace judge {

// An argument of a timed call: a buffer of the call's set, by its index, or a number.
struct TimedBuffer {
  std::size_t index;
};
using TimedArgument = std::variant<TimedBuffer, std::int64_t>;

// A launcher that is called again and again, each time on the next one of several sets of buffers.
// The lab fills a set and checks it with kernels of the judge's: arrays this large never come to
// the host.
struct BandwidthCase {
  using Set = std::span<void* const>;  // the addresses of one set's buffers

  Part part;
  std::vector<std::size_t> buffer_bytes;  // of each buffer of a set
  std::vector<TimedArgument> arguments;   // in the launcher's order, template arguments first
  std::uint64_t bytes_moved;              // by one call: what has to be read plus written
  // Starts kernels that give the set the contents that belong to the seed, outputs poisoned.
  std::function<cudaError_t(Set set, std::uint64_t seed)> fill;
  // Starts kernels that add to `*result` the places where the set, filled with this seed, is not
  // what one call makes of it.
  std::function<cudaError_t(Set set, std::uint64_t seed, Mismatches* result)> check;
};

}  // namespace judge
