// cublasLt, NVIDIA's library for matrix products: what a product is held against, as copies are
// held against the copy roofline. It is loaded by its path into the judge, where no code of a
// submission ever is.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "common/result.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"

namespace judge {

class ProductLibrary {
 public:
  // `path`: of libcublasLt.so. `example`: a set whose arrays are filled; of all ways that the
  // library offers for this size, the one that is fastest on it is taken.
  static common::Result<ProductLibrary> open(const std::string& path, const ProductSizes& sizes,
                                             BandwidthCase::Set example, Device& device);

  // Starts C = A * B.
  cudaError_t multiply(BandwidthCase::Set set) const;
  // Starts a product of the set's factors, and adds to `*result` the places where its C is another.
  cudaError_t check(BandwidthCase::Set set, Mismatches* result) const;

 private:
  struct Loaded;
  explicit ProductLibrary(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}

  std::shared_ptr<const Loaded> loaded_;
};

}  // namespace judge
