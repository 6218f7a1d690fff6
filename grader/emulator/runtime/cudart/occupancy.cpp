// CUDA Runtime API, "Occupancy".
#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/module.h"

using namespace tmaemu::runtime;
using tmaemu::Device;
using tmaemu::Dimensions;

namespace {

Error find(const void* handle, Function*& function) {
  function = Registry::instance().find_function(handle);
  return function == nullptr ? Error::invalid_device_function : function->resolve();
}

// The cluster that a launch configuration asks for; one CTA where it asks for none.
Error cluster_of(const cudaLaunchConfig_t& config, const Function& function, Dimensions& cluster) {
  LaunchConfiguration configuration;
  std::vector<void*> events;
  const std::span attributes(reinterpret_cast<const LaunchAttribute*>(config.attrs),
                             config.attrs == nullptr ? 0 : config.numAttrs);
  const Error error = apply_attributes(attributes, configuration, events);
  const Dimensions& own = function.kernel->info().required_cluster;
  cluster = configuration.cluster.count() != 0 ? configuration.cluster
            : own.count() != 0                 ? own
                                               : Dimensions{};
  return error;
}

Dimensions block_of(const cudaLaunchConfig_t& config) {
  return {config.blockDim.x, config.blockDim.y, config.blockDim.z};
}

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* handle,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  return call([&] {
    if (any_null(blocks) || flags > cudaOccupancyDisableCachingOverride)
      return Error::invalid_value;
    Function* function = nullptr;
    if (const Error error = find(handle, function); error != Error::success) return error;
    if (block_size <= 0) return Error::invalid_value;
    *blocks = block_size > static_cast<int>(function->kernel->info().max_threads)
                  ? 0
                  : Device::instance().resident_ctas_per_sm(function->kernel->info(),
                                                            static_cast<unsigned>(block_size),
                                                            dynamic_shared_bytes);
    return Error::success;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* handle,
                                                          int block_size,
                                                          size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, block_size,
                                                                dynamic_shared_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* handle, int blocks,
                                                      int block_size) {
  return call([&] {
    if (any_null(bytes)) return Error::invalid_value;
    Function* function = nullptr;
    if (const Error error = find(handle, function); error != Error::success) return error;
    if (blocks <= 0 || block_size <= 0) return Error::invalid_value;
    *bytes = available_dynamic_shared(function->kernel->info(), blocks, block_size);
    return Error::success;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* handle,
                                                 const cudaLaunchConfig_t* config) {
  return call([&] {
    if (any_null(size, config)) return Error::invalid_value;
    Function* function = nullptr;
    if (const Error error = find(handle, function); error != Error::success) return error;
    unsigned cluster = function->settings.non_portable_cluster ? 16 : 8;
    const auto fits = [&] {
      return resident_clusters(function->kernel->info(), block_of(*config), {cluster, 1, 1},
                               config->dynamicSmemBytes) > 0;
    };
    while (cluster > 1 && !fits()) cluster /= 2;
    *size = static_cast<int>(cluster);
    return Error::success;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* handle,
                                           const cudaLaunchConfig_t* config) {
  return call([&] {
    if (any_null(clusters, config)) return Error::invalid_value;
    Function* function = nullptr;
    if (const Error error = find(handle, function); error != Error::success) return error;
    Dimensions cluster;
    const Error error = cluster_of(*config, *function, cluster);
    if (error != Error::success) return error;
    const unsigned limit = function->settings.non_portable_cluster ? 16 : 8;
    if (cluster.count() > limit) return Error::invalid_cluster_size;
    *clusters = resident_clusters(function->kernel->info(), block_of(*config), cluster,
                                  config->dynamicSmemBytes);
    return Error::success;
  });
}

}  // extern "C"
