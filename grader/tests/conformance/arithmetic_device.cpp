#include "tests/conformance/arithmetic_device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/conformance/arithmetic_kernel.h"
#include "tests/conformance/arithmetic_operands.h"

namespace conformance {
namespace {

// Memory on the device.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    if (cudaMalloc(&address_, bytes) != cudaSuccess || cudaMemset(address_, 0, bytes) != 0) {
      std::fprintf(stderr, "conformance_arithmetic: no memory on the device\n");
      std::exit(3);
    }
  }
  ~Buffer() { cudaFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* address() const { return address_; }
  void write(const void* host) { cudaMemcpy(address_, host, bytes_, cudaMemcpyDefault); }
  cudaError_t read(void* host) const {
    return cudaMemcpy(host, address_, bytes_, cudaMemcpyDefault);
  }

 private:
  std::size_t bytes_;
  void* address_ = nullptr;
};

}  // namespace

CUresult FormRunner::load(std::size_t first) {
  if (loaded_ == first) return CUDA_SUCCESS;
  if (module_ != nullptr) cuModuleUnload(module_);
  cudaFree(nullptr);  // makes the context
  const std::size_t count = std::min(group_, forms_.size() - first);
  const std::string text = module_text(forms_.subspan(first, count));
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const CUresult result = cuModuleLoadDataEx(&module_, text.c_str(), 2, options, values);
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "%s\n", log);
  if (result == CUDA_SUCCESS) loaded_ = first;
  return result;
}

CUresult FormRunner::run(std::size_t index, std::span<std::uint64_t> results) {
  const Form& form = forms_[index];
  const std::size_t first = index / group_ * group_;
  if (const CUresult result = load(first); result != CUDA_SUCCESS) return result;
  CUfunction kernel;
  const std::string name = "form" + std::to_string(index - first);
  if (const CUresult result = cuModuleGetFunction(&kernel, module_, name.c_str())) return result;

  const std::vector<std::uint64_t> operands = operands_of(form);
  const auto tuples = static_cast<unsigned>(tuples_of(form));
  Buffer in(operands.size() * sizeof operands[0]);
  Buffer out(results.size_bytes());
  Buffer cells(std::size_t{cell_bytes} * tuples);
  in.write(operands.data());
  void* addresses[] = {in.address(), out.address(), cells.address()};
  void* parameters[] = {&addresses[0], &addresses[1], &addresses[2]};
  const CUresult launched = cuLaunchKernel(kernel, tuples / block_tuples, 1, 1, block_tuples, 1, 1,
                                           0, nullptr, parameters, nullptr);
  if (launched != CUDA_SUCCESS) return launched;
  return static_cast<CUresult>(out.read(results.data()));
}

}  // namespace conformance
