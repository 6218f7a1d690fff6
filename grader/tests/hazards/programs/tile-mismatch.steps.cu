// The steps of a loop over K do not lead through the tile: some elements are read again, and others
// never.
#include "ptx-wgmma-tiles.h"

__device__ uint64_t step_of(const void* tile, int bytes) {
  return described(tile, Layout(), 0) + bytes / 16;
}

// What lies behind the tiles, so that steps that lead out of them find something.
struct Padded {
  Tiles tiles;
  unsigned char behind[2 * sizeof(Tiles)];
};
__device__ void clear_behind(Padded& memory) {
  for (unsigned i = threadIdx.x; i < sizeof(memory.behind); i += blockDim.x) {
    memory.behind[i] = 0;
  }
  fence_proxy_async();
}
__device__ void load_padded(Padded& memory, const Maps& maps, uint64_t& loaded) {
  clear_behind(memory);
  load_tiles(memory.tiles, maps, loaded);
}

//: pair half_a_step
template <bool mistaken>
__global__ void half_a_step(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  constexpr int step = mistaken ? STEP_BYTES / 2 : STEP_BYTES;
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, step_of(tiles.a, i * step), step_of(tiles.b, i * step));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair half_a_step_of_a
template <bool mistaken>
__global__ void half_a_step_of_a(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  constexpr int step = mistaken ? STEP_BYTES / 2 : STEP_BYTES;
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, step_of(tiles.a, i * step), step_of(tiles.b, i * STEP_BYTES));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// A step in bytes is added to a descriptor, which counts units of 16.
//: pair step_in_bytes
template <bool mistaken>
__global__ void step_in_bytes(const __grid_constant__ Maps maps, int* out) {
  __shared__ Padded memory;
  __shared__ uint64_t loaded;
  load_padded(memory, maps, loaded);
  const Tiles& tiles = memory.tiles;
  const uint64_t a = step_of(tiles.a, 0), b = step_of(tiles.b, 0);
  constexpr int step = mistaken ? STEP_BYTES : STEP_BYTES / 16;
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, a + i * step, b + i * STEP_BYTES / 16);
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair only_a_goes_on
template <bool mistaken>
__global__ void only_a_goes_on(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, step_of(tiles.a, i * STEP_BYTES),
             step_of(tiles.b, mistaken ? 0 : i * STEP_BYTES));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// The third step is in the next row.
//: pair two_steps_at_once
template <bool mistaken>
__global__ void two_steps_at_once(const __grid_constant__ Maps maps, int* out) {
  __shared__ Padded memory;
  __shared__ uint64_t loaded;
  load_padded(memory, maps, loaded);
  const Tiles& tiles = memory.tiles;
  constexpr int step = mistaken ? 2 * STEP_BYTES : STEP_BYTES;
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, step_of(tiles.a, i * step), step_of(tiles.b, i * step));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// The stage is loaded again, and the loop over K goes wrong in its second half only.
//: pair second_lap
template <bool mistaken>
__global__ void second_lap(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  Sums sums, rest;
  const auto step = [&](Sums& d, int a_bytes, int b_bytes) {
    //: tile-mismatch
    multiply(d, step_of(tiles.a, a_bytes), step_of(tiles.b, b_bytes));
  };
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    step(sums, i * STEP_BYTES, i * STEP_BYTES);
  }
  commit_products();
  wait_products<0>();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tiles));
    load_tile(tiles.a, &maps.a, 0, 0, &loaded);
    load_tile(tiles.b, &maps.b, 0, A_ROWS, &loaded);
  }
  wait_parity(&loaded, 1);
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    step(rest, mistaken ? 0 : i * STEP_BYTES, i * STEP_BYTES);
  }
  commit_products();
  wait_products<0>();
  for (int i = 0; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i] == rest.at[i] ? sums.at[i] : -1;
  }
}

// Boxes that are 16 bytes wide, one behind the other: along K it is from box to box, and from eight
// rows to the next eight 128 bytes.
struct Offsets {
  uint64_t along_k;
  uint64_t across;
};
__device__ uint64_t of_boxes(const unsigned char* tile, const Offsets& offsets, int start) {
  return (shared_address(tile) + start) / 16 | offsets.along_k / 16 << 16 |
         offsets.across / 16 << 32;
}

//: pair offsets_of_boxes_exchanged
template <bool mistaken>
__global__ void offsets_of_boxes_exchanged(const __grid_constant__ Maps maps, int* out) {
  __shared__ Padded memory;
  Tiles& tiles = memory.tiles;
  __shared__ uint64_t loaded;
  constexpr int a_bytes = A_ROWS * 16, b_bytes = B_ROWS * 16;  // of a box
  clear_behind(memory);
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tiles));
    for (int i = 0; i < ROW_BYTES / 16; ++i) {
      load_tile(tiles.a + i * a_bytes, &maps.a, 16 * i, 0, &loaded);
      load_tile(tiles.b + i * b_bytes, &maps.b, 16 * i, A_ROWS, &loaded);
    }
  }
  wait_parity(&loaded, 0);
  constexpr Offsets right{a_bytes, 128}, exchanged{128, a_bytes};
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    const uint64_t a = of_boxes(tiles.a, mistaken ? exchanged : right, 2 * i * a_bytes);
    //: tile-mismatch
    multiply(sums, a, of_boxes(tiles.b, {b_bytes, 128}, 2 * i * b_bytes));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// Factors that a plain copy brings as they lie: along K it is 128 bytes, and from eight rows to the
// next eight 256.
//: pair offsets_exchanged
template <bool mistaken>
__global__ void offsets_exchanged(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  const uint64_t along_k = mistaken ? 256 : 128, across = mistaken ? 128 : 256;
  Sums sums;
  fence_registers();
  //: tile-mismatch
  multiply(sums, shared_address(factors.a) / 16 | along_k / 16 << 16 | across / 16 << 32,
           matrix(factors.b));
  commit_products();
  wait_products<0>();
  store(out, sums);
}

constexpr Pair pairs[] = {
    {"half_a_step", multiplied<half_a_step<true>>, multiplied<half_a_step<false>>},
    {"half_a_step_of_a", multiplied<half_a_step_of_a<true>>, multiplied<half_a_step_of_a<false>>},
    {"step_in_bytes", multiplied<step_in_bytes<true>>, multiplied<step_in_bytes<false>>},
    {"only_a_goes_on", multiplied<only_a_goes_on<true>>, multiplied<only_a_goes_on<false>>},
    {"two_steps_at_once", multiplied<two_steps_at_once<true>>,
     multiplied<two_steps_at_once<false>>},
    {"second_lap", multiplied<second_lap<true>>, multiplied<second_lap<false>>},
    {"offsets_of_boxes_exchanged", multiplied<offsets_of_boxes_exchanged<true>, NO_SWIZZLE, 16>,
     multiplied<offsets_of_boxes_exchanged<false>, NO_SWIZZLE, 16>},
    pair<offsets_exchanged<true>, offsets_exchanged<false>, the_product, PRODUCT>(
        "offsets_exchanged"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
