// The forms of wgmma.mma_async that the conformance suite asks, and a kernel for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

// A type of A's and B's elements. `exponent_bits`: 0 where they are no numbers with exponents.
struct ProductType {
  const char* name;
  unsigned bits;
  unsigned exponent_bits;
  unsigned fraction_bits;
  unsigned unused_bits = 0;  // of tf32, below the fraction
};

struct ProductForm {
  ProductType a, b;
  const char* d = "f32";
  unsigned n = 8;
  bool is_sparse = false;
  unsigned selector = 0;
  bool has_registers = false;  // A lies there
  bool is_a_transposed = false;
  bool is_b_transposed = false;
  bool negates_a = false;
  bool negates_b = false;
  bool saturates = false;

  // Of a row of A, in memory and in registers, and of a column of B.
  static constexpr unsigned a_bytes = 32;
  unsigned b_bytes() const { return is_sparse ? 64 : 32; }
  // Of a thread.
  unsigned d_registers() const { return d == std::string("f16") ? n / 4 : n / 2; }
  bool is_floating() const { return a.exponent_bits != 0; }
  std::string instruction() const;
  std::string name() const;
  // The kernel `product`: see product_device.h.
  std::string ptx() const;
};

std::vector<ProductForm> product_forms();

// Shared memory that the kernel fills, from a multiple of 1024 on.
inline constexpr unsigned product_image_bytes = 64 << 10;

}  // namespace conformance
