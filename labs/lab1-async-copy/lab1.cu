// Lab 1: async copies. A copy can be started and awaited later.
//
// Reverses every tile of an array: dest holds the tiles of src in the same order, each of them back
// to front. A tile goes through shared memory, where every thread reads what another one brought.
// Three parts:
//   one-tile    the array is one tile
//   two-stages  many tiles: the next one is on its way while this one is reversed
//   ring        any number of stages, and arrays of any length
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "async-copy.cuh"
#include "cuda-check.cuh"

inline constexpr int TILE_INTS = 1024;
inline constexpr int INTS_PER_VECTOR = 4;  // a copy moves 16 bytes, one int4
inline constexpr int TILE_VECTORS = TILE_INTS / INTS_PER_VECTOR;
inline constexpr int THREADS = TILE_VECTORS;  // each thread copies one vector of a tile

// All threads of the CTA write `count` ints of a tile in shared memory to dest, back to front.
__device__ void write_reversed(int* dest, const int* tile, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = tile[count - 1 - i];
}

// ---------------------------------------------------------------------------------------------
// Part one-tile: count is a multiple of 4, from 4 to TILE_INTS; one CTA does everything.

__global__ void reverse_tile(int* dest, const int* src, int count) {
  // TODO: bring the tile into shared memory with asynchronous copies, then write it reversed.
  //   1. Each thread copies its vector, if the tile is that long (cp_async_16), and commits.
  //   2. Each thread waits for its own copy. Is the whole tile there now?
  //   3. write_reversed.
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse_tile<<<1, THREADS>>>(dest, src, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part two-stages: CTA b has the tiles b, b + gridDim.x, b + 2 * gridDim.x and so on. count
// is a multiple of 4; the last tile may be shorter.

__global__ void reverse_two_stages(int* dest, const int* src, size_t count) {
  // TODO: two tiles in shared memory. While one is written, the copies of the other are
  //   in flight.
  //   * Before the loop: start the copies of the first tile, commit.
  //   * Each iteration: start the copies of the next tile into the other stage, commit; wait
  //     for the group before that one; write this tile.
  //   * Commit in every iteration, even if there is no next tile: an empty group is complete,
  //     and the counting stays the same.
  //   * When may the next copies overwrite a stage that threads have been reading?
}

// As many CTAs of the kernel as the GPU holds at once, but not more than there are tiles.
template <typename Kernel>
unsigned resident_ctas(Kernel kernel, size_t tiles) {
  int device, sms, ctas_per_sm;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas_per_sm, kernel, THREADS, 0));
  return static_cast<unsigned>(std::min(tiles, static_cast<size_t>(sms) * ctas_per_sm));
}

void launch_reverse_two_stages(int* dest, const int* src, size_t count) {
  if (count == 0) return;
  const size_t tiles = (count + TILE_INTS - 1) / TILE_INTS;
  reverse_two_stages<<<resident_ctas(reverse_two_stages, tiles), THREADS>>>(dest, src, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part ring: the same with STAGES stages, any count, and CTAs that have about TILES_PER_CTA tiles
// each. Tune the numbers.

inline constexpr int STAGES = 3;
static_assert(STAGES >= 2, "one stage is written while another is loaded");

inline constexpr int TILES_PER_CTA = 64;

__global__ void reverse_ring(int* dest, const int* src, size_t count) {
  // TODO: a ring of STAGES tiles, STAGES - 1 of them in flight.
  //   * Before the loop: start the copies of the first STAGES - 1 tiles, one group each.
  //   * Each iteration: wait for the oldest group; then one __syncthreads() ensures both that
  //     all copies of this tile have landed and that all threads have read the tile before it.
  //     Start copies into that tile's stage; write this tile.
  //   * The array's last vector may have fewer than four ints: cp_async_16_zero_fill.
}

void launch_reverse(int* dest, const int* src, size_t count) {
  if (count == 0) return;
  const size_t tiles = (count + TILE_INTS - 1) / TILE_INTS;
  const size_t ctas = (tiles + TILES_PER_CTA - 1) / TILES_PER_CTA;
  reverse_ring<<<static_cast<unsigned>(ctas), THREADS>>>(dest, src, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

template <typename Launch>
bool reverses(const char* part, size_t count, Launch launch) {
  std::vector<int> host(count);
  for (size_t i = 0; i < count; ++i) host[i] = static_cast<int>(i);
  int *src, *dest;
  cuda_check(cudaMalloc(&src, count * sizeof(int)));
  cuda_check(cudaMalloc(&dest, count * sizeof(int)));
  cuda_check(cudaMemcpy(src, host.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  cuda_check(cudaMemset(dest, 0xFF, count * sizeof(int)));
  launch(dest, src, count);
  cuda_check(cudaDeviceSynchronize());
  std::vector<int> got(count);
  cuda_check(cudaMemcpy(got.data(), dest, count * sizeof(int), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));

  for (size_t begin = 0; begin < count; begin += TILE_INTS) {
    std::reverse(host.begin() + begin, host.begin() + std::min(begin + TILE_INTS, count));
  }
  const auto wrong = std::mismatch(host.begin(), host.end(), got.begin());
  if (wrong.first == host.end()) {
    std::printf("%-10s  %zu ints: every tile is back to front\n", part, count);
    return true;
  }
  std::printf("%-10s  %zu ints: element %td is %d, expected %d\n", part, count,
              wrong.first - host.begin(), *wrong.second, *wrong.first);
  return false;
}

int main() {
  bool right = reverses("one-tile", 1000, launch_reverse_tile);
  right &= reverses("two-stages", 1'000'004, launch_reverse_two_stages);
  right &= reverses("ring", 10'000'003, launch_reverse);
  return right ? 0 : 1;
}
