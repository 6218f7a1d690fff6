// CUDA Driver API, "Occupancy".
#include <algorithm>
#include <span>
#include <vector>

#include "emulator/model/h200.h"
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/launch.h"

using namespace tmaemu::runtime;
using tmaemu::Device;
using tmaemu::Dimensions;

namespace {

int resident_ctas(const tmaemu::KernelInfo& info, int threads, size_t shared_bytes) {
  const auto count = static_cast<unsigned>(threads);
  return count > info.max_threads
             ? 0
             : Device::instance().resident_ctas_per_sm(info, count, shared_bytes);
}

struct Potential {
  int threads = 0;  // of a CTA
  int ctas_per_sm = 0;
};

// The largest CTA with which an SM holds the most threads, tried in whole warps: what the runtime's
// header, cuda_runtime.h, does for cudaOccupancyMaxPotentialBlockSize. `limit`: 0 is none.
template <class SharedBytesOf>
Potential most_resident(const tmaemu::KernelInfo& info, int limit, SharedBytesOf&& shared_bytes) {
  const int own = static_cast<int>(info.max_threads);
  const int most = limit == 0 ? own : std::min(limit, own);
  Potential best;
  int threads = most;
  while (threads > 0) {
    const int ctas = resident_ctas(info, threads, shared_bytes(threads));
    if (threads * ctas > best.threads * best.ctas_per_sm) best = {threads, ctas};
    threads = (threads - 1) / tmaemu::warp_size * tmaemu::warp_size;
  }
  return best;
}

}  // namespace

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(blocks)) return Error::invalid_value;
    if (block_size <= 0) return Error::invalid_value;
    *blocks = resident_ctas(function.kernel->info(), block_size, shared_bytes);
    return Error::success;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int block_size,
                                                     size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, block_size,
                                                              shared_bytes, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                   CUfunction handle,
                                                   CUoccupancyB2DSize shared_bytes_of,
                                                   size_t shared_bytes, int limit, unsigned flags) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(grid_size, block_size)) return Error::invalid_value;
    if (limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return Error::invalid_value;
    const Potential best = most_resident(function.kernel->info(), limit, [&](int threads) {
      return shared_bytes_of == nullptr ? shared_bytes : shared_bytes_of(threads);
    });
    *block_size = best.threads;
    *grid_size = best.ctas_per_sm * tmaemu::h200::sm_count;
    return Error::success;
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction handle,
                                          CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                          int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, handle, shared_bytes_of,
                                                   shared_bytes, limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks,
                                                 int block_size) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(bytes)) return Error::invalid_value;
    if (blocks <= 0 || block_size <= 0) return Error::invalid_value;
    *bytes = available_dynamic_shared(function.kernel->info(), blocks, block_size);
    return Error::success;
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction handle,
                                      const CUlaunchConfig* config) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(clusters, config)) return Error::invalid_value;
    LaunchConfiguration configuration;
    std::vector<void*> events;
    const std::span attributes(reinterpret_cast<const LaunchAttribute*>(config->attrs),
                               config->attrs == nullptr ? 0 : config->numAttrs);
    const Error error = apply_attributes(attributes, configuration, events);
    if (error != Error::success) return error;
    Dimensions cluster = configuration.cluster;
    if (cluster.count() == 0) cluster = function.kernel->info().required_cluster;
    if (cluster.count() == 0) cluster = Dimensions{};
    *clusters = resident_clusters(function.kernel->info(),
                                  {config->blockDimX, config->blockDimY, config->blockDimZ},
                                  cluster, config->sharedMemBytes);
    return Error::success;
  });
}

}  // extern "C"
