#include "emulator/isa/matrix/sparse.h"

#include <bitset>

#include "contract/findings/sentences.h"
#include "emulator/sched/warp.h"

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

  bool is_defined(unsigned code, bool is_ordered) const {
    if (kept == 1) return code == 0b0100 || code == 0b1110;
    const unsigned first = code & 3, second = code >> 2;
    return is_ordered ? first < second : first != second;
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

namespace {

// Calls visit(chunks, row, chunk, lane, code) for each chunk of each row.
template <class Visit>
void for_chunks(const tensor::Product& product, const u32* metadata, unsigned selector,
                Visit visit) {
  const Chunks chunks(product);
  const bool is_narrow = tensor::bits_of(product.a) <= 8;
  for (unsigned row = 0; row < sparse_rows; ++row) {
    for (unsigned chunk = 0; chunk < chunks.per_row; ++chunk) {
      const MetadataPlace at = metadata_place(chunks, is_narrow, selector, row, chunk);
      visit(chunks, row, chunk, at.lane, metadata[at.lane] >> 4 * at.nibble & 0xf);
    }
  }
}

}  // namespace

void find_kept_columns(const tensor::Product& product, const u32* metadata, unsigned selector,
                       u8* columns) {
  for_chunks(product, metadata, selector,
             [&](const Chunks& chunks, unsigned, unsigned chunk, unsigned, unsigned code) {
               for (unsigned i = 0; i < chunks.kept; ++i) {
                 *columns++ = static_cast<u8>(chunk * chunks.elements + chunks.place(code, i));
               }
             });
}

std::optional<UndefinedMetadata> find_undefined_metadata(const tensor::Product& product,
                                                         const u32* metadata, unsigned selector,
                                                         bool is_ordered) {
  std::optional<UndefinedMetadata> found;
  for_chunks(product, metadata, selector,
             [&](const Chunks& chunks, unsigned row, unsigned, unsigned lane, unsigned code) {
               if (found || chunks.is_defined(code, is_ordered)) return;
               found = {row, code, lane};
             });
  return found;
}

void require_defined_metadata(Warp& warp, const Operation& op, const tensor::Product& product,
                              const u32* metadata, unsigned selector, bool is_ordered) {
  const auto undefined = find_undefined_metadata(product, metadata, selector, is_ordered);
  if (!undefined) return;
  warp.fault(op, undefined->lane, Sentence::sparse_metadata,
             {std::bitset<4>(undefined->code).to_string().insert(0, "0b"), undefined->row});
}

}  // namespace tmaemu
