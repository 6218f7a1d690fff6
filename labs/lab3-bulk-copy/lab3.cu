// Lab 3: bulk copies. One thread, one instruction, a whole array.
//
// Adds one to every element of an array, in place: the TMA engine brings a tile of the array into
// shared memory, the threads add, the engine takes the tile back. Three parts:
//   one-tile    the array is one tile
//   any-length  the array has any length: many tiles, the last one shorter, some bytes left over
//   pipeline    few, persistent CTAs, each with several tiles in flight; each takes its next tile
//               when it has room for it
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

// A bulk copy moves a multiple of 16 bytes: four ints, one int4.
inline constexpr size_t INTS_PER_VECTOR = 4;

// All threads of the CTA add one to each int of a tile in shared memory.
__device__ void add_one_to_tile(int4* tile, int vectors) {
  for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
    int4 v = tile[i];
    tile[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};
  }
}

// ---------------------------------------------------------------------------------------------
// Part one-tile: count is a multiple of 4, from 4 to 8192; one CTA does everything.

inline constexpr int ONE_TILE_MAX_INTS = 8192;

__global__ void add_one_tile(int* data, int count) {
  // TODO: add one to all `count` ints of data, with one bulk copy in each direction.
  //   1. Declare the tile (aligned to 16 bytes, room for ONE_TILE_MAX_INTS) and an mbarrier,
  //      both in shared memory.
  //   2. One thread initializes the barrier for one arrival and fences it for the async proxy.
  //   3. That thread expects the bytes and arrives, and starts the load.
  //   4. All threads wait for phase 0, then call add_one_to_tile.
  //   5. Make the sums visible to the TMA engine; then one thread stores the tile, commits, and
  //      waits until the tile has been read.
}

void launch_add_one_tile(int* data, int count) {
  add_one_tile<<<1, 256>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part any-length: one CTA per tile.

inline constexpr int TILE_INTS = 1024;
inline constexpr int TILE_THREADS = 32;

__global__ void add_one(int* data, size_t count) {
  // TODO: add one to all `count` ints of data. CTA b has the tile that begins at
  //   b * TILE_INTS; the last tile may be shorter, down to no vector at all.
  //   * Bulk copies move whole vectors (INTS_PER_VECTOR ints). The up to three ints at the very
  //     end of data are left to plain loads and stores, by one CTA, once.
  //   * count may exceed 2^31: which of your numbers need size_t?
}

void launch_add_one(int* data, size_t count) {
  if (count == 0) return;  // a grid without CTAs is an error
  const size_t tiles = (count + TILE_INTS - 1) / TILE_INTS;
  add_one<<<static_cast<unsigned>(tiles), TILE_THREADS>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part pipeline: persistent CTAs, each with a ring of stages: its n-th tile goes through stage
// n % STAGES. A CTA takes the next tile when it has room for it, so that nobody waits for the
// slowest CTA, and all of them together sweep the array from its beginning to its end. Tune the
// numbers.

inline constexpr int STAGE_INTS = 8192;
inline constexpr int STAGES = 3;
inline constexpr int PIPELINE_THREADS = 512;
inline constexpr int RING_BYTES = STAGES * STAGE_INTS * static_cast<int>(sizeof(int));
static_assert(STAGES >= 2, "one stage is stored while another is loaded");

// The number of the first tile that no CTA has taken. It is 0 between two launches (which do not
// overlap).
__device__ unsigned next_tile;

__global__ void add_one_pipeline(int* data, size_t count) {
  // TODO: the same as add_one, but with loads always in flight, in the chapter's four steps.
  //   * The ring: STAGES tiles in dynamic shared memory (more than the 48 KiB that a CTA may
  //     have without opting in), each with a barrier ("full": its load has landed) and the
  //     position of its tile in data.
  //   * Thread 0 takes a tile with atomicAdd(&next_tile, 1). A CTA stops at its first tile that
  //     lies past the end. The CTA that took the very last number sets next_tile back to 0.
  //   * Before the loop: start the loads of the first STAGES - 1 tiles.
  //   * Each iteration: wait for this stage's barrier (with which parity?), add, store, commit;
  //     then start a load into the stage that was stored in the previous iteration. It may
  //     begin once that store has read its tile; this iteration's store is still in flight.
  //   * After the loop: wait until the last stores have read their tiles.
  //   * The leftover ints, as in add_one.
}

// As many CTAs as the GPU holds at once, but not more than there are tiles.
void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  int device, sms, ctas_per_sm;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  cuda_check(cudaFuncSetAttribute(add_one_pipeline, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  RING_BYTES));
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas_per_sm, add_one_pipeline,
                                                           PIPELINE_THREADS, RING_BYTES));
  const size_t tiles = (count + STAGE_INTS - 1) / STAGE_INTS;
  const size_t ctas = std::min(tiles, static_cast<size_t>(sms) * ctas_per_sm);
  add_one_pipeline<<<static_cast<unsigned>(ctas), PIPELINE_THREADS, RING_BYTES>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

template <typename Launch>
bool adds_one(const char* part, size_t count, Launch launch) {
  std::vector<int> host(count);
  for (size_t i = 0; i < count; ++i) host[i] = static_cast<int>(i);

  int* data;
  cuda_check(cudaMalloc(&data, count * sizeof(int)));
  cuda_check(cudaMemcpy(data, host.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  launch(data, count);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(host.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(data));

  for (size_t i = 0; i < count; ++i) {
    if (host[i] != static_cast<int>(i) + 1) {
      std::printf("%-10s  %zu ints: element %zu is %d, expected %zu\n", part, count, i, host[i],
                  i + 1);
      return false;
    }
  }
  std::printf("%-10s  %zu ints: every element is one more than it was\n", part, count);
  return true;
}

int main() {
  bool right = adds_one("one-tile", 1024, launch_add_one_tile);
  right &= adds_one("any-length", 100'003, launch_add_one);
  right &= adds_one("pipeline", 10'000'003, launch_add_one_pipeline);
  return right ? 0 : 1;
}
