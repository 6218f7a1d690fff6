// The descriptor of a wgmma does not fit the tile that a tensor map has laid there: its swizzle,
// its base offset, its strides.
#include "ptx-wgmma-tiles.h"

//: pair descriptor_without_swizzle
template <bool mistaken>
__global__ void descriptor_without_swizzle(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  const Layout layout{.swizzle = mistaken ? 0 : 1};
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, described(tiles.a, layout, i), described(tiles.b, layout, i));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair descriptor_of_64_bytes
template <bool mistaken>
__global__ void descriptor_of_64_bytes(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  const Layout layout{.swizzle = mistaken ? 2 : 1};
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, described(tiles.a, layout, i), described(tiles.b, layout, i));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// The two kernels are one: it is the map that has no swizzle.
//: pair map_without_swizzle
template <bool>
__global__ void map_without_swizzle(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, described(tiles.a, Layout(), i), described(tiles.b, Layout(), i));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// Both tiles are aligned to 1024 bytes.
//: pair base_offset_of_a_step
template <bool mistaken>
__global__ void base_offset_of_a_step(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    const Layout layout{.base_offset = mistaken ? static_cast<uint64_t>(i) : 0};
    //: tile-mismatch
    multiply(sums, described(tiles.a, layout, i), described(tiles.b, layout, i));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// From one row to the next, where it is from eight rows to the next eight.
//: pair stride_of_a_row
template <bool mistaken>
__global__ void stride_of_a_row(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  load_tiles(tiles, maps, loaded);
  const Layout layout{.stride = mistaken ? ROW_BYTES : 8 * ROW_BYTES};
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    //: tile-mismatch
    multiply(sums, described(tiles.a, layout, i), described(tiles.b, layout, i));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// Without swizzle, core matrices are eight rows of 16 bytes. A box that is 16 bytes wide lays them
// so, and then the next ones of its column.
//: pair wide_rows_without_swizzle
template <bool mistaken>
__global__ void wide_rows_without_swizzle(const __grid_constant__ Maps maps, int* out) {
  __shared__ Tiles tiles;
  __shared__ uint64_t loaded;
  constexpr int boxes = mistaken ? 1 : ROW_BYTES / 16;
  constexpr int a_bytes = A_ROWS * 16, b_bytes = B_ROWS * 16;  // of a narrow box
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tiles));
    for (int i = 0; i < boxes; ++i) {
      load_tile(tiles.a + i * a_bytes, &maps.a, 16 * i, 0, &loaded);
      load_tile(tiles.b + i * b_bytes, &maps.b, 16 * i, A_ROWS, &loaded);
    }
  }
  wait_parity(&loaded, 0);
  Sums sums;
  fence_registers();
  for (int i = 0; i < STEPS; ++i) {
    const auto of_boxes = [&](const unsigned char* tile, uint64_t box_bytes) {
      const uint64_t stride = 128;
      return (shared_address(tile) + 2 * i * box_bytes) / 16 | box_bytes / 16 << 16 |
             stride / 16 << 32;
    };
    //: tile-mismatch
    multiply(sums, of_boxes(tiles.a, a_bytes), of_boxes(tiles.b, b_bytes));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

constexpr Pair pairs[] = {
    {"descriptor_without_swizzle", multiplied<descriptor_without_swizzle<true>>,
     multiplied<descriptor_without_swizzle<false>>},
    {"descriptor_of_64_bytes", multiplied<descriptor_of_64_bytes<true>>,
     multiplied<descriptor_of_64_bytes<false>>},
    {"map_without_swizzle", multiplied<map_without_swizzle<true>, NO_SWIZZLE>,
     multiplied<map_without_swizzle<false>>},
    {"base_offset_of_a_step", multiplied<base_offset_of_a_step<true>>,
     multiplied<base_offset_of_a_step<false>>},
    {"stride_of_a_row", multiplied<stride_of_a_row<true>>, multiplied<stride_of_a_row<false>>},
    {"wide_rows_without_swizzle", multiplied<wide_rows_without_swizzle<true>, NO_SWIZZLE>,
     multiplied<wide_rows_without_swizzle<false>, NO_SWIZZLE, 16>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
