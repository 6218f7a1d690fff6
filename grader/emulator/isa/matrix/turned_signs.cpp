#include "emulator/isa/matrix/turned_signs.h"

#include <cstring>
#include <vector>

#include "contract/protocol/turned_signs.h"
#include "emulator/tensor/decoded.h"
#include "emulator/tensor/multiply.h"

namespace tmaemu {
namespace {

std::vector<f32> values_of(tensor::Element type, const tensor::PackedRows& rows, unsigned count,
                           unsigned elements) {
  std::vector<f32> values(std::size_t{count} * elements);
  std::vector<s16> exponents(values.size());
  tensor::decode_rows(type, false, rows, count, elements, values.data(), exponents.data());
  return values;
}

}  // namespace

// A row of A after the other, each with a B of its own, where elements have the sign that turns
// their product with this row's.
void multiply_turning_signs(std::uint32_t key, const tensor::Product& product,
                            const tensor::PackedRows& a, const tensor::PackedRows& b,
                            const tensor::KeptColumns& kept, u32* accumulators) {
  if (tensor::is_integer(product.a) || product.a == tensor::Element::b1) {
    return tensor::multiply(product, a, b, kept, accumulators);
  }
  const unsigned rows_of_b = product.rows_of_b();
  const std::size_t bytes = tensor::bits_of(product.b) / 8;
  const std::vector<f32> values_of_a = values_of(product.a, a, product.m, product.k);
  const std::vector<f32> values_of_b = values_of(product.b, b, product.n, rows_of_b);
  std::vector<std::byte> turned(std::size_t{product.n} * b.row_bytes);
  tensor::Product of_one_row = product;
  of_one_row.m = 1;
  for (unsigned m = 0; m < product.m; ++m) {
    std::memcpy(turned.data(), b.bytes, turned.size());
    const u8* const met = kept.columns == nullptr ? nullptr : kept.row(m);
    for (unsigned n = 0; n < product.n; ++n) {
      for (unsigned i = 0; i < product.k; ++i) {
        const unsigned k = met == nullptr ? i : met[i];
        const f32 factor = values_of_a[std::size_t{m} * product.k + i];
        if (!turns_sign(key, factor, values_of_b[std::size_t{n} * rows_of_b + k])) continue;
        turned[n * b.row_bytes + (k + 1) * bytes - 1] ^= std::byte{0x80};
      }
    }
    tensor::multiply(of_one_row, {a.row(m), a.row_bytes}, {turned.data(), b.row_bytes},
                     {met, kept.per_row}, accumulators + std::size_t{m} * product.n);
  }
}

}  // namespace tmaemu
