#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "tests/conformance/run.h"
#include "tests/conformance/tma_device.h"
#include "tests/conformance/tma_kernel.cuh"

namespace conformance {
namespace {

CUresult encode(const MapArguments& map, std::uint64_t base, CUtensorMap* encoded) {
  if (map.is_im2col) {
    return cuTensorMapEncodeIm2col(encoded, static_cast<CUtensorMapDataType>(map.type), map.rank,
                                   reinterpret_cast<void*>(base + map.address), map.size.data(),
                                   map.stride.data(), map.lower.data(), map.upper.data(),
                                   map.channels, map.pixels, map.element_stride.data(),
                                   static_cast<CUtensorMapInterleave>(map.interleave),
                                   static_cast<CUtensorMapSwizzle>(map.swizzle),
                                   static_cast<CUtensorMapL2promotion>(map.l2_promotion),
                                   static_cast<CUtensorMapFloatOOBfill>(map.fill));
  }
  return cuTensorMapEncodeTiled(encoded, static_cast<CUtensorMapDataType>(map.type), map.rank,
                                reinterpret_cast<void*>(base + map.address), map.size.data(),
                                map.stride.data(), map.box.data(), map.element_stride.data(),
                                static_cast<CUtensorMapInterleave>(map.interleave),
                                static_cast<CUtensorMapSwizzle>(map.swizzle),
                                static_cast<CUtensorMapL2promotion>(map.l2_promotion),
                                static_cast<CUtensorMapFloatOOBfill>(map.fill));
}

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "conformance_tma: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

}  // namespace

Device::Device() {
  require(cudaMalloc(&slot_, slot_bytes), "cudaMalloc");
  require(cudaMalloc(&digest_, sizeof *digest_), "cudaMalloc");
}

Device::~Device() {
  cudaFree(slot_);
  cudaFree(digest_);
}

std::uint64_t Device::run(const Case& drawn) {
  return launch(drawn, nullptr);
}

std::uint64_t Device::run(const Case& drawn, std::vector<unsigned char>& image) {
  image.resize(drawn.operation.cluster * shared_bytes + slot_bytes);
  unsigned char* copy = nullptr;
  require(cudaMalloc(&copy, image.size()), "cudaMalloc");
  const std::uint64_t answer = launch(drawn, copy);
  if (is_error(answer)) return answer;
  require(cudaMemcpy(image.data(), copy, image.size(), cudaMemcpyDefault), "cudaMemcpy");
  require(cudaFree(copy), "cudaFree");
  return answer;
}

std::uint64_t Device::launch(const Case& drawn, unsigned char* image) {
  alignas(64) CUtensorMap map{};
  const bool has_map = drawn.operation.kind < Kind::bulk_load && !drawn.map_is_missing;
  if (has_map && encode(drawn.map, reinterpret_cast<std::uint64_t>(slot_), &map) != CUDA_SUCCESS) {
    return refused;
  }
  require(cudaMemsetAsync(digest_, 0, sizeof *digest_), "cudaMemset");

  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = drawn.operation.cluster;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(drawn.operation.cluster);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_launch_bytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  require(cudaLaunchKernelEx(&config, run_case, map, drawn.operation, slot_, digest_, image),
          "launch");
  std::uint64_t digest = 0;
  const cudaError_t error = cudaMemcpy(&digest, digest_, sizeof digest, cudaMemcpyDefault);
  if (error != cudaSuccess) return static_cast<std::uint64_t>(error);
  return digest <= last_error ? digest + last_error + 1 : digest;
}

std::vector<std::uint8_t> encode_all(const std::vector<MapArguments>& maps) {
  require(cudaFree(nullptr), "a CUDA context");
  std::vector<std::uint8_t> accepted((maps.size() + 7) / 8);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    alignas(64) CUtensorMap encoded;
    if (encode(maps[i], 0, &encoded) == CUDA_SUCCESS) accepted[i / 8] |= std::uint8_t(1u << i % 8);
  }
  return accepted;
}

}  // namespace conformance
