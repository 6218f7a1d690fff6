// Which elements a sparse A keeps. PTX ISA, "Sparse matrix storage": of each chunk of a row half
// are kept, and four bits of metadata say which.
#pragma once

#include <optional>

#include "emulator/numeric/types.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

inline constexpr unsigned sparse_rows = 16;  // that a warp's metadata are about

// How many threads of four may be selected to hold the metadata: 4, 2 or 1.
unsigned sparsity_selectors(const tensor::Product& product);

// columns[row * product.k + i]: which column of the full A its kept element i has. `metadata`: the
// word of each lane. Where a code means nothing, some column of the chunk.
void find_kept_columns(const tensor::Product& product, const u32* metadata, unsigned selector,
                       u8* columns);

// Metadata that mean nothing: those of a chunk of a row.
struct UndefinedMetadata {
  unsigned row;
  unsigned code;
  unsigned lane;  // that holds them
};
// The first of them. `is_ordered`: .ordered_metadata, where the places ascend.
std::optional<UndefinedMetadata> find_undefined_metadata(const tensor::Product& product,
                                                         const u32* metadata, unsigned selector,
                                                         bool is_ordered);

class Warp;
struct Operation;

// A fault where a lane's register has such metadata: a GPU takes some elements or other then.
// `metadata`: the word of each lane, and the rest as above.
void require_defined_metadata(Warp& warp, const Operation& op, const tensor::Product& product,
                              const u32* metadata, unsigned selector, bool is_ordered);

}  // namespace tmaemu
