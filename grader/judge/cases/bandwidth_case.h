// One measurement of a launcher's bandwidth as data: what it is called with, and how its buffers
// are filled and checked on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <optional>
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

// C = A * B of bfloat16 matrices: A is m x k, B n x k, both with k along their rows, and element
// (i, j) of C lies at j * m + i.
struct ProductSizes {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;

  // Floating-point ones: a product and a sum for each pair of elements.
  std::uint64_t operations() const { return 2 * static_cast<std::uint64_t>(m * n) * k; }
};

// A launcher that is called again and again, each time on the next one of several sets of buffers.
// The lab fills a set and checks it with kernels of the judge's: arrays this large never come to
// the host.
struct BandwidthCase {
  using Set = std::span<void* const>;  // the addresses of one set's buffers

  Part part;
  std::vector<std::size_t> buffer_bytes;  // of each buffer of a set
  std::vector<TimedArgument> arguments;   // in the launcher's order, template arguments first
  // By one call: what has to be read plus written, or what a product has to compute.
  std::uint64_t work;
  // Starts kernels that give the set the contents that belong to the seed, outputs poisoned.
  std::function<cudaError_t(Set set, std::uint64_t seed)> fill;
  // Starts kernels that add to `*result` the places where the set, filled with this seed, is not
  // what one call makes of it.
  std::function<cudaError_t(Set set, std::uint64_t seed, Mismatches* result)> check;
  // Of a matrix product, whose buffers are A, B and C: it is held against cublasLt in place of the
  // copy roofline, and checked by it (time/product_library.h).
  std::optional<ProductSizes> product = {};
};

}  // namespace judge
