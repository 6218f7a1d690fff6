#include "add_one.cuh"

constexpr int TILE_INTS = 4096;

static void add_one_to_all(int* data, size_t count, unsigned ctas) {
  if (count != 0) add_one_in_tiles<TILE_INTS><<<ctas, WARP>>>(data, count);
}

void launch_add_one_tile(int* data, int count) {
  add_one_to_all(data, count, 1);
}

void launch_add_one(int* data, size_t count) {
  add_one_to_all(data, count, (count + TILE_INTS - 1) / TILE_INTS);
}

void launch_add_one_pipeline(int* data, size_t count) {
  int ctas = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, add_one_in_tiles<TILE_INTS>, WARP, 0);
  add_one_to_all(data, count, 132 * ctas);
}
