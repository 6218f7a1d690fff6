// What the conformance suite of wgmma multiplies: numbers of every kind, behind descriptors of
// every kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/product_forms.h"

namespace conformance {

struct ProductCase {
  std::vector<std::uint32_t> image;  // of shared memory
  std::vector<std::uint32_t> a;      // A's registers, four a thread, then metadata, one a thread
  std::vector<std::uint32_t> d;      // by thread, before
  std::uint64_t a_matrix = 0;        // descriptors: their start is from the image's first byte
  std::uint64_t b_matrix = 0;
  bool accumulates = true;
};

ProductCase product_case(const ProductForm& form, std::uint64_t seed);

}  // namespace conformance
