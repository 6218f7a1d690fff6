#include "tests/conformance/random_device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "common/split_mix.h"

namespace conformance {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// Words on the device.
class DeviceWords {
 public:
  explicit DeviceWords(std::span<const std::uint64_t> words) {
    status_ = cudaMalloc(&address_, std::max(words.size_bytes(), word_bytes));
    if (status_ != cudaSuccess) return;
    status_ = cudaMemcpy(address_, words.data(), words.size_bytes(), cudaMemcpyDefault);
  }
  ~DeviceWords() { cudaFree(address_); }
  DeviceWords(const DeviceWords&) = delete;
  DeviceWords& operator=(const DeviceWords&) = delete;

  void* address() const { return address_; }
  cudaError_t status() const { return status_; }
  cudaError_t read(std::vector<std::uint64_t>& words) const {
    return cudaMemcpy(words.data(), address_, words.size() * word_bytes, cudaMemcpyDefault);
  }

 private:
  void* address_ = nullptr;
  cudaError_t status_;
};

class Module {
 public:
  explicit Module(const std::string& ptx) {
    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    status_ = cuModuleLoadDataEx(&module_, ptx.c_str(), 2, options, values);
    if (status_ == CUDA_SUCCESS) status_ = cuModuleGetFunction(&kernel_, module_, "program");
    if (status_ != CUDA_SUCCESS) std::fprintf(stderr, "%s\n", log);
  }
  ~Module() { cuModuleUnload(module_); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  CUfunction kernel() const { return kernel_; }
  CUresult status() const { return status_; }

 private:
  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUresult status_;
};

std::vector<std::uint64_t> random_words(std::size_t count, std::uint64_t seed) {
  common::SplitMix64 random(seed);
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = random.next();
  return words;
}

std::uint32_t digest_of(std::span<const std::uint64_t> words) {
  std::uint64_t digest = words.size();
  for (const std::uint64_t word : words) digest = common::SplitMix64(digest ^ word).next();
  return std::max(static_cast<std::uint32_t>(digest >> 32), std::uint32_t{1});
}

// 128 bytes a map and CTA; empty where the driver refuses one.
std::vector<std::uint64_t> encoded_maps(const RandomProgram& program, void* memory) {
  std::vector<std::uint64_t> words;
  for (const RandomMap& map : program.maps) {
    for (unsigned cta = 0; cta < program.ctas; ++cta) {
      alignas(64) CUtensorMap encoded;
      constexpr std::uint32_t element_strides[] = {1, 1, 1};
      const std::size_t own_bytes = program.memory_bytes / program.ctas;
      if (cuTensorMapEncodeTiled(
              &encoded, static_cast<CUtensorMapDataType>(map.type), map.rank,
              static_cast<std::byte*>(memory) + cta * own_bytes, map.sizes, map.strides, map.box,
              element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
              static_cast<CUtensorMapSwizzle>(map.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        return {};
      }
      const auto* opaque = reinterpret_cast<const std::uint64_t*>(&encoded);
      words.insert(words.end(), opaque, opaque + sizeof encoded / word_bytes);
    }
  }
  return words;
}

}  // namespace

CUresult run(const RandomProgram& program, RandomResults& results) {
  cudaFree(nullptr);  // makes the context
  const Module module(program.ptx);
  if (module.status() != CUDA_SUCCESS) return module.status();
  results.words.assign(std::size_t{program.ctas} * program.threads * program.checkpoints, 0);
  results.memory = random_words(program.memory_bytes / word_bytes, program.memory_seed);
  const auto zeros = static_cast<std::ptrdiff_t>(program.zero_bytes / word_bytes);
  std::fill(results.memory.end() - zeros, results.memory.end(), 0);
  const DeviceWords inputs(program.inputs), words(results.words), memory(results.memory);
  const std::vector<std::uint64_t> encoded = encoded_maps(program, memory.address());
  if (encoded.empty() != program.maps.empty()) return CUDA_ERROR_INVALID_VALUE;
  const DeviceWords maps(encoded);
  void* addresses[] = {inputs.address(), words.address(), memory.address(), maps.address()};
  void* parameters[] = {&addresses[0], &addresses[1], &addresses[2], &addresses[3]};
  const CUresult launched = cuLaunchKernel(module.kernel(), program.ctas, 1, 1, program.threads, 1,
                                           1, 0, nullptr, parameters, nullptr);
  if (launched != CUDA_SUCCESS) return launched;
  if (const cudaError_t error = words.read(results.words)) return static_cast<CUresult>(error);
  return static_cast<CUresult>(memory.read(results.memory));
}

std::vector<std::uint32_t> digests_of(const RandomProgram& program, const RandomResults& results) {
  std::vector<std::uint32_t> digests;
  const std::size_t count = std::size_t{program.ctas} * program.threads;
  for (std::size_t i = 0; i < program.checkpoints; ++i) {
    digests.push_back(digest_of(std::span(results.words).subspan(i * count, count)));
  }
  digests.push_back(digest_of(results.memory));
  return digests;
}

}  // namespace conformance
