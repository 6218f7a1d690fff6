// What the device says of itself: properties and attributes agree, and are those of an H200.
#include <cstring>

#include "runtime_test.h"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_OK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

static void properties_are_of_an_h200() {
  cudaDeviceProp properties;
  std::memset(&properties, 0xAB, sizeof properties);
  CHECK_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(std::strncmp(properties.name, "NVIDIA H200", 11) == 0);
  CHECK(properties.major == 9 && properties.minor == 0);
  CHECK(properties.multiProcessorCount == 132);
  CHECK(properties.warpSize == 32);
  CHECK(properties.totalGlobalMem == 150109880320);
  CHECK(properties.sharedMemPerBlock == 49152);
  CHECK(properties.sharedMemPerBlockOptin == 232448);
  CHECK(properties.sharedMemPerMultiprocessor == 233472);
  CHECK(properties.reservedSharedMemPerBlock == 1024);
  CHECK(properties.regsPerBlock == 65536 && properties.regsPerMultiprocessor == 65536);
  CHECK(properties.maxThreadsPerBlock == 1024 && properties.maxThreadsPerMultiProcessor == 2048);
  CHECK(properties.maxThreadsDim[2] == 64 && properties.maxGridSize[1] == 65535);
  CHECK(properties.maxBlocksPerMultiProcessor == 32);
  CHECK(properties.totalConstMem == 65536);
  CHECK(properties.l2CacheSize == 62914560);
  CHECK(properties.memoryBusWidth == 6016);
  CHECK(properties.persistingL2CacheMaxSize == 39321600);
  CHECK(properties.memoryPoolSupportedHandleTypes == 9);
  CHECK(properties.gpuDirectRDMASupported == 1 && properties.ECCEnabled == 1);
  CHECK(properties.pageableMemoryAccess == 0 && properties.concurrentManagedAccess == 1);
  CHECK(properties.concurrentKernels == 1 && properties.cooperativeLaunch == 1);
  CHECK(properties.unifiedAddressing == 1 && properties.managedMemory == 1);
  CHECK(properties.clusterLaunch == 1 && properties.memoryPoolsSupported == 1);
  CHECK(properties.textureAlignment == 512 && properties.surfaceAlignment == 512);
  CHECK(properties.maxTexture3D[2] == 16384 && properties.maxSurfaceCubemapLayered[1] == 2046);
}

static void attributes_agree_with_properties() {
  cudaDeviceProp properties;
  CHECK_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == properties.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
        static_cast<int>(properties.sharedMemPerBlockOptin));
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == properties.major);
  CHECK(attribute(cudaDevAttrL2CacheSize) == properties.l2CacheSize);
  CHECK(attribute(cudaDevAttrClockRate) == 1980000);
  int value = 0;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(10000), 0));
  CHECK_ERROR(cudaErrorInvalidDevice,
              cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 1000));
  cudaGetLastError();
}

static void errors_have_names_and_texts() {
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)),
                    "unrecognized error code") == 0);
}

static void versions_match_the_toolkit() {
  int runtime = 0, driver = 0;
  CHECK_OK(cudaRuntimeGetVersion(&runtime));
  CHECK_OK(cudaDriverGetVersion(&driver));
  CHECK(runtime / 1000 == CUDART_VERSION / 1000);
  CHECK(driver >= 13000);
}

__global__ void nothing() {}

static void occupancy_is_that_of_an_sm() {
  int blocks = 0;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
  CHECK(blocks == 2);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 0));
  CHECK(blocks == 32);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 128, 48 * 1024));
  CHECK(blocks == 4);
  int grid = 0, block = 0;
  CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing));
  CHECK(grid == 264 && block == 1024);
}

static void free_memory_is_what_the_context_leaves() {
  size_t free = 0, total = 0;
  CHECK_OK(cudaMemGetInfo(&free, &total));
  CHECK(total == 150109880320);
  CHECK(free < total - (size_t{500} << 20) && free > total - (size_t{600} << 20));
}

int main() {
  properties_are_of_an_h200();
  free_memory_is_what_the_context_leaves();
  attributes_agree_with_properties();
  errors_have_names_and_texts();
  versions_match_the_toolkit();
  occupancy_is_that_of_an_sm();
  return runtime_test::result();
}
