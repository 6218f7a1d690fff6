// The tensor maps of the emulator for a page of the book: what goes in and out of the WebAssembly
// module that handout/site/explorer/module.ts loads. No rule is here: the module asks those of
// emulator/tma and emulator/profile.
//
// A page writes its question into memory, calls ask(), and reads the answer. Both structs are plain
// data without padding, so their layout is what it looks like; module.ts names the same offsets.
#pragma once

#include <cstdint>

namespace tmaemu::browser {

// The arguments of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col, enumerations by number, and
// of one operation with that map.
struct Question {
  std::uint64_t address;
  std::uint64_t size[5];
  std::uint64_t stride[4];
  std::uint32_t mode;
  std::uint32_t type;
  std::uint32_t rank;
  std::uint32_t interleave;
  std::uint32_t swizzle;
  std::uint32_t l2_promotion;
  std::uint32_t fill;
  std::uint32_t box[5];
  std::uint32_t element_stride[5];
  std::int32_t lower_corner[3];
  std::int32_t upper_corner[3];
  std::uint32_t channels;
  std::uint32_t pixels;
  std::int32_t coordinates[5];
  std::uint32_t direction;       // of tma::Direction
  std::uint32_t shared_address;  // of the tile
};
static_assert(sizeof(Question) == 208);

enum class Verdict : std::uint32_t {
  accepted,
  refused_by_driver,  // the tensor map
  refused_by_engine,  // the operation: an illegal instruction
};

// Consecutive bytes of one position of the box. A swizzle may take a position of an interleaved
// layout, which has 16 or 32 bytes, apart.
struct Piece {
  std::uint64_t global_address;  // meaningless if not in bounds
  std::uint32_t shared_offset;   // from the tile's first byte
  std::uint32_t bytes;
  std::int32_t place[5];    // the tensor's coordinates
  std::uint32_t in_bounds;  // a load brings it from there; a store writes it there
};
static_assert(sizeof(Piece) == 40);

// Of an accepted operation in tiled mode. Where the driver refuses, nothing but the verdict and the
// message; where the engine does, all but the pieces.
struct Answer {
  Verdict verdict;
  std::uint32_t message;  // address of the reason in UTF-8
  std::uint32_t message_bytes;
  std::uint32_t position_bytes;  // of one position along dimension 0
  std::uint32_t row_bytes;
  std::uint32_t rows;
  std::uint32_t row_padding;
  std::uint32_t box_bytes;       // that the tile covers in shared memory
  std::uint32_t transfer_bytes;  // that a load subtracts from the tx-count
  std::uint32_t extent[5];       // positions of the box
  std::uint32_t pieces;          // address of the first
  std::uint32_t piece_count;
  std::uint8_t fill[8];  // what arrives for one element outside the tensor
  // A warp reads up to 32 positions, one a lane, along dimension 0 or 1 from the tile's first: the
  // wavefronts of shared memory, and what they would be without a bank conflict. 0: no such read.
  std::uint32_t wavefronts[2];
  std::uint32_t ideal_wavefronts[2];
};
static_assert(sizeof(Answer) == 88);

}  // namespace tmaemu::browser
