// CUDA Driver API, "Occupancy".
#include <span>
#include <vector>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/launch.h"

using namespace tmaemu::runtime;
using tmaemu::Device;
using tmaemu::Dimensions;

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(blocks)) return Error::invalid_value;
    const tmaemu::KernelInfo& info = function.kernel->info();
    if (block_size <= 0) return Error::invalid_value;
    const auto threads = static_cast<unsigned>(block_size);
    *blocks = threads > info.max_threads
                  ? 0
                  : Device::instance().resident_ctas_per_sm(info, threads, shared_bytes);
    return Error::success;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int block_size,
                                                     size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, block_size,
                                                              shared_bytes, 0);
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
