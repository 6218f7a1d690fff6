// Multiplies in one CUDA context.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <span>
#include <vector>

#include "tests/conformance/product_cases.h"

namespace conformance {

// The kernel of a form, and memory for its cases.
class ProductDevice {
 public:
  explicit ProductDevice(const ProductForm& form);
  ~ProductDevice();
  ProductDevice(const ProductDevice&) = delete;
  ProductDevice& operator=(const ProductDevice&) = delete;

  // D, by thread. The context is lost where there is an error.
  CUresult run(const ProductCase& one, std::vector<std::uint32_t>& d);

 private:
  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUdeviceptr image_ = 0, a_ = 0, d_ = 0;
  CUresult status_;
};

}  // namespace conformance
