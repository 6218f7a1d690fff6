#include "judge/time/roofline.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>

#include "common/text.h"
#include "judge/arrays/stream_kernels.h"
#include "judge/time/median.h"

namespace judge {

using common::concat;

namespace {

using Copy = cudaError_t (*)(void* to, const void* from, std::size_t bytes);

cudaError_t copy_engine(void* to, const void* from, std::size_t bytes) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr);
}

// Seconds for all the copies of one round. Each buffer of the first half is read once and each of
// the second is written once, twice over. Of an odd number of buffers one is left out.
common::Result<double> time_round(Copy copy, const std::vector<void*>& buffers, std::size_t bytes) {
  const std::size_t half = buffers.size() / 2;
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < 2 * half && error == cudaSuccess; ++i) {
    error = copy(buffers[half + i % half], buffers[i % half], bytes);
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (error != cudaSuccess) {
    return common::Error{concat("the judge's own copy failed: ", cudaGetErrorString(error))};
  }
  return elapsed.count();
}

}  // namespace

common::Result<double> measure_roofline(const std::vector<void*>& buffers, std::size_t bytes,
                                        int rounds) {
  const std::size_t copies = buffers.size() / 2 * 2;
  const double moved = 2.0 * static_cast<double>(bytes) * static_cast<double>(copies);
  double best = 0;
  for (const Copy copy : {Copy{copy_engine}, Copy{copy_vectors}}) {
    std::vector<double> seconds;
    for (int round = -1; round < rounds; ++round) {  // the first one warms up
      const auto elapsed = time_round(copy, buffers, bytes);
      if (!elapsed) return elapsed.error();
      if (round >= 0) seconds.push_back(*elapsed);
    }
    best = std::max(best, moved / median(seconds) / 1e9);
  }
  return best;
}

}  // namespace judge
