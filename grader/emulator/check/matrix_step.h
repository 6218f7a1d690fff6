// How two matrices of wgmma lie to each other in shared memory: PTX ISA, "Asynchronous Warpgroup
// Level Matrix Shared Memory Layout". A loop over K reads a tile step by step; a step to the wrong
// place reads some elements again and never comes to others.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/model/events.h"

namespace tmaemu::check {

// That stay together, whatever the layout.
inline constexpr std::uint32_t bytes_of_unit = 16;

enum class Overlap : std::uint8_t { none, partial, whole };

// Of what two products read: along K, and of the lines, which are rows of A or columns of B.
struct StepRelation {
  Overlap of_k = Overlap::none;
  Overlap of_lines = Overlap::none;

  // It goes on to other elements of the same lines, as a step does.
  bool advances() const { return of_k == Overlap::none && of_lines == Overlap::whole; }
  bool stays() const { return of_k == Overlap::whole && of_lines == Overlap::whole; }
  // It goes on to other lines, and comes to some of the same ones again.
  bool slides() const { return of_k == Overlap::whole && of_lines == Overlap::partial; }
  bool overlaps_along_k() const { return of_k == Overlap::partial && of_lines != Overlap::none; }
};

// Nothing where their descriptors differ in more than where they begin, or lay the matrix out in a
// way that is not asked about here.
std::optional<StepRelation> relation_of(const events::MatrixInShared& one,
                                        const events::MatrixInShared& other);

// Where steps would go wrong: of this matrix, beside those of the product's other one.
bool is_suspicious(const StepRelation& own, const std::optional<StepRelation>& partner);

// Of a matrix without swizzle: whether the core matrices that lie along K are the farther ones.
constexpr bool is_k_outside(const events::MatrixInShared& matrix) {
  return !matrix.uses_stride || matrix.leading >= matrix.stride;
}

// A matrix without swizzle that names one core matrix at two of its places: its two offsets lead
// there on two ways, as they do where one has been taken for the other.
bool meets_itself(const events::MatrixInShared& matrix);
// One whose core matrices share some of their bytes, as they do where an offset that counts bytes
// was given in units of 16.
bool overlaps_itself(const events::MatrixInShared& matrix);

}  // namespace tmaemu::check
