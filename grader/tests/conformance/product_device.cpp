#include "tests/conformance/product_device.h"

#include <cuda_runtime_api.h>

#include <cstdio>

namespace conformance {
namespace {

constexpr std::size_t most_d_bytes = 128 * 128 * 4;
constexpr std::size_t a_bytes = 128 * 5 * 4;

template <class Word>
CUresult copy_to(CUdeviceptr to, const std::vector<Word>& words) {
  return cuMemcpyHtoD(to, words.data(), words.size() * sizeof(Word));
}

}  // namespace

ProductDevice::ProductDevice(const ProductForm& form) {
  cudaFree(nullptr);  // makes the context
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const std::string ptx = form.ptx();
  status_ = cuModuleLoadDataEx(&module_, ptx.c_str(), 2, options, values);
  if (status_ != CUDA_SUCCESS) std::fprintf(stderr, "%s: %s\n", form.name().c_str(), log);
  if (status_ == CUDA_SUCCESS) status_ = cuModuleGetFunction(&kernel_, module_, "product");
  if (status_ == CUDA_SUCCESS) {
    status_ = cuFuncSetAttribute(kernel_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                 static_cast<int>(product_image_bytes));
  }
  if (status_ == CUDA_SUCCESS) status_ = cuMemAlloc(&image_, product_image_bytes);
  if (status_ == CUDA_SUCCESS) status_ = cuMemAlloc(&a_, a_bytes);
  if (status_ == CUDA_SUCCESS) status_ = cuMemAlloc(&d_, most_d_bytes);
}

ProductDevice::~ProductDevice() {
  cuMemFree(image_);
  cuMemFree(a_);
  cuMemFree(d_);
  if (module_ != nullptr) cuModuleUnload(module_);
}

CUresult ProductDevice::run(const ProductCase& one, std::vector<std::uint32_t>& d) {
  if (status_ != CUDA_SUCCESS) return status_;
  if (const CUresult result = copy_to(image_, one.image); result != CUDA_SUCCESS) return result;
  if (const CUresult result = copy_to(a_, one.a); result != CUDA_SUCCESS) return result;
  if (const CUresult result = copy_to(d_, one.d); result != CUDA_SUCCESS) return result;
  std::uint64_t a_matrix = one.a_matrix, b_matrix = one.b_matrix;
  std::uint32_t scale = one.accumulates ? 1 : 0;
  void* parameters[] = {&image_, &a_, &d_, &a_matrix, &b_matrix, &scale};
  const CUresult launched = cuLaunchKernel(kernel_, 1, 1, 1, 128, 1, 1, product_image_bytes,
                                           nullptr, parameters, nullptr);
  if (launched != CUDA_SUCCESS) return launched;
  d.resize(one.d.size());
  return cuMemcpyDtoH(d.data(), d_, d.size() * sizeof d[0]);
}

}  // namespace conformance
