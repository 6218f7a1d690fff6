// What happens to the products of a warpgroup, of the events that observers read: see events.h.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/model/ids.h"

namespace tmaemu::events {

// A matrix that a product reads from shared memory, as its descriptor says.
struct MatrixInShared {
  std::uint32_t start = 0;    // shared::cluster address
  std::uint32_t leading = 0;  // byte offsets
  std::uint32_t stride = 0;
  std::uint32_t base_offset = 0;
  std::uint32_t swizzle_bytes = 0;  // 0: none
  bool uses_leading = false;        // the two offsets count here
  bool uses_stride = false;
  bool is_transposed = false;    // neighbors are lines, and not elements of a line
  std::uint32_t lines = 0;       // rows of A, columns of B
  std::uint32_t line_bytes = 0;  // of the product's elements of a line
};

// A warp issues its part of a wgmma.mma_async, which reads shared memory and registers and writes
// registers until a wait covers it.
struct WarpgroupProduct {
  WarpId warp;
  std::uint32_t site = 0;
  std::uint32_t number = 0;  // of the warpgroup's, from 1: its warps issue the same ones
  // What it reads of shared memory, in units of 16 bytes: shared::cluster addresses.
  std::span<const std::uint32_t> own_units;     // A's rows of this warp
  std::span<const std::uint32_t> common_units;  // B, which its warps have in common
  bool is_first_of_warps = false;               // none of the others has issued it
  const MatrixInShared* a = nullptr;            // null: A is in registers
  const MatrixInShared* b = nullptr;
  const void* frame = nullptr;             // of its registers:
  bool accumulates = false;                // whether D is added to
  std::span<const std::uint32_t> results;  // D's places,
  std::span<const std::uint32_t> factors;  // and A's, where that is in registers
};

// A warp waits for the products of its warpgroup.
struct ProductsAwaited {
  WarpId warp;
  std::uint32_t site = 0;
  std::uint32_t done = 0;     // so many are
  std::uint32_t pending = 0;  // how many of the newest groups need not be
};

// setmaxnreg: a warp has so many registers a thread from now on.
struct RegisterCount {
  WarpId warp;
  std::uint32_t site = 0;
  LaneMask lanes = 0;  // that executed it together
  std::uint32_t registers = 0;
  bool gave_back = false;  // it had more before
};

// Another instruction than a product uses registers that products name.
struct RegisterUse {
  WarpId warp;
  std::uint32_t site = 0;
  const void* frame = nullptr;
  std::span<const std::uint32_t> read;  // places
  std::span<const std::uint32_t> written;
  bool only_copies = false;  // a value that is constant, or another register's
};

}  // namespace tmaemu::events
