// How long a tensor core is busy with a matrix multiplication: NVIDIA H100 Tensor Core GPU
// Architecture, "H100 Tensor Core Architecture" (dense products a clock and SM, of which each has
// four tensor cores).
#pragma once

#include <cstdint>

#include "emulator/tensor/product.h"

namespace tmaemu::profile {

// Clocks of one tensor core; 0 where nobody has said what the type's rate is.
inline std::uint64_t tensor_clocks(const tensor::Product& product) {
  using tensor::Element;
  const auto products_per_clock = [&]() -> std::uint64_t {
    switch (product.a) {
      case Element::f16:
      case Element::bf16:
        return 512;
      case Element::tf32:
        return 256;
      case Element::f64:
        return 32;
      case Element::e4m3:
      case Element::e5m2:
        // Without wgmma they are multiplied as f16.
        return product.summation == tensor::Summation::halves_of_words ? 512 : 1024;
      case Element::s8:
      case Element::u8:
        return 1024;
      default:
        return 0;
    }
  }();
  const std::uint64_t products = std::uint64_t{product.m} * product.n * product.k;
  return products_per_clock == 0 ? 0 : products / products_per_clock;
}

}  // namespace tmaemu::profile
