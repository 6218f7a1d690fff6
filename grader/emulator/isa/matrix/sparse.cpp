#include "emulator/isa/matrix/sparse.h"

namespace tmaemu {
namespace {

// A chunk is described by two places of two bits, of the elements that are kept, or of their pairs:
// those of f32's width by the second one alone, which counts halves of them.
struct Chunks {
  unsigned per_row;
  unsigned elements;  // of the full row
  unsigned kept;

  explicit Chunks(const tensor::Product& product) {
    const unsigned bits = tensor::bits_of(product.a);
    elements = bits == 32 ? 2 : bits == 4 ? 8 : 4;
    kept = elements / 2;
    per_row = product.k / kept;
  }

  // The place in its chunk of the i-th element that is kept there.
  unsigned place(unsigned code, unsigned i) const {
    const unsigned first = code & 3, second = code >> 2;
    if (kept == 1) return second >> 1;
    if (kept == 2) return i == 0 ? first : second;
    return 2 * (i < 2 ? first : second) + i % 2;
  }
};

// Where the code of a chunk is.
struct MetadataPlace {
  unsigned lane;
  unsigned nibble;
};

MetadataPlace metadata_place(const Chunks& chunks, bool is_narrow, unsigned selector, unsigned row,
                             unsigned chunk) {
  const unsigned quad = 4 * (row % 8), half = row / 8;
  if (chunks.per_row == 4) return {quad + selector, 4 * half + chunk};
  if (chunks.per_row == 16) return {quad + half + 2 * (chunk / 8), chunk % 8};
  if (is_narrow) return {quad + 2 * selector + half, chunk};
  return {quad + 2 * selector + chunk / 4, 4 * half + chunk % 4};
}

}  // namespace

unsigned sparsity_selectors(const tensor::Product& product) {
  return 16 / Chunks(product).per_row;
}

void find_kept_columns(const tensor::Product& product, const u32* metadata, unsigned selector,
                       u8* columns) {
  const Chunks chunks(product);
  const bool is_narrow = tensor::bits_of(product.a) <= 8;
  for (unsigned row = 0; row < sparse_rows; ++row) {
    for (unsigned chunk = 0; chunk < chunks.per_row; ++chunk) {
      const MetadataPlace at = metadata_place(chunks, is_narrow, selector, row, chunk);
      const unsigned code = metadata[at.lane] >> 4 * at.nibble & 0xf;
      for (unsigned i = 0; i < chunks.kept; ++i) {
        *columns++ = static_cast<u8>(chunk * chunks.elements + chunks.place(code, i));
      }
    }
  }
}

}  // namespace tmaemu
