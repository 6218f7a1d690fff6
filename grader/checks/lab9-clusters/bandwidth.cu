#include "checks/lab9-clusters/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab9 {
namespace {

__global__ void check(const std::uint32_t* matrix, std::size_t count, std::size_t columns,
                      std::uint64_t seed, judge::Mismatches* result) {
  const std::size_t i = judge::thread_number();
  if (i >= count) return;
  if (matrix[i] != judge::stream_hash(i % columns, seed)) judge::add_mismatch(result, i);
}

}  // namespace

cudaError_t check_rows(const std::uint32_t* matrix, std::size_t rows, std::size_t columns,
                       std::uint64_t seed, judge::Mismatches* result) {
  const std::size_t count = rows * columns;
  check<<<judge::stream_blocks(count), judge::stream_threads>>>(matrix, count, columns, seed,
                                                                result);
  return cudaGetLastError();
}

}  // namespace lab9
