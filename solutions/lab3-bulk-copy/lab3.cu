// Lab 3: bulk copies. One thread, one instruction, a whole array.
//
// Adds one to every element of an array, in place: the TMA engine brings a tile of the array into
// shared memory, the threads add, the engine takes the tile back. Three parts:
//   one-tile    the array is one tile
//   any-length  the array has any length: many tiles, the last one shorter, some bytes left over
//   pipeline    few CTAs that stay, each with several tiles in flight
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
// Part one-tile: count is a multiple of 4, from 4 to 8192; one CTA does it all.

inline constexpr int ONE_TILE_MAX_INTS = 8192;

__global__ void add_one_tile(int* data, int count) {
  // BEGIN SOLUTION
  //: // TODO: add one to all `count` ints of data, with one bulk copy in each direction.
  //: //   1. Declare the tile (aligned to 16 bytes, room for ONE_TILE_MAX_INTS) and an mbarrier,
  //: //      both in shared memory.
  //: //   2. One thread initialises the barrier for one arrival and fences it for the async proxy.
  //: //   3. That thread expects the bytes and arrives, and starts the load.
  //: //   4. All threads wait for phase 0, then call add_one_to_tile.
  //: //   5. Make the sums visible to the TMA engine; then one thread stores the tile, commits, and
  //: //      waits until the tile has been read.
  __shared__ alignas(16) int4 tile[ONE_TILE_MAX_INTS / INTS_PER_VECTOR];
  __shared__ uint64_t loaded;
  const int bytes = count * static_cast<int>(sizeof(int));

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();  // the engine must see an initialised barrier
    expect_bytes_and_arrive(&loaded, bytes);
    cp_async_bulk_global_to_shared(tile, data, bytes, &loaded);
  }
  __syncthreads();  // nobody waits at a barrier that is not yet initialised
  wait(&loaded, 0);

  add_one_to_tile(tile, count / INTS_PER_VECTOR);

  async_proxy_fence();  // each thread: my sums, for the engine to see
  __syncthreads();      // all threads' sums are there
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(data, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();  // the tile must outlive the engine's reading it
  }
  // END SOLUTION
}

void launch_add_one_tile(int* data, int count) {
  add_one_tile<<<1, 256>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part any-length: one CTA a tile.

inline constexpr int TILE_INTS = 1024;
inline constexpr int TILE_THREADS = 32;

__global__ void add_one(int* data, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: add one to all `count` ints of data. CTA number b has the tile that begins at
  //: //   b * TILE_INTS; the last tile may be shorter, down to no vector at all.
  //: //   * Bulk copies move whole vectors (INTS_PER_VECTOR ints). The up to three ints at the very
  //: //     end of data are left to plain loads and stores: by one CTA, once.
  //: //   * count may exceed 2^31: which of your numbers need size_t?
  __shared__ alignas(16) int4 tile[TILE_INTS / INTS_PER_VECTOR];
  __shared__ uint64_t loaded;

  const size_t begin = static_cast<size_t>(blockIdx.x) * TILE_INTS;
  const size_t end_of_vectors = count - count % INTS_PER_VECTOR;
  const int ints = begin < end_of_vectors ? min(end_of_vectors - begin, size_t{TILE_INTS}) : 0;
  const int bytes = ints * static_cast<int>(sizeof(int));

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, bytes);
    if (bytes > 0) cp_async_bulk_global_to_shared(tile, data + begin, bytes, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  add_one_to_tile(tile, ints / INTS_PER_VECTOR);

  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0 && bytes > 0) {
    cp_async_bulk_shared_to_global(data + begin, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }

  // What no bulk copy can move: the ints after the last whole vector.
  const size_t leftover = end_of_vectors + threadIdx.x;
  if (blockIdx.x == 0 && leftover < count) data[leftover] += 1;
  // END SOLUTION
}

void launch_add_one(int* data, size_t count) {
  if (count == 0) return;  // a grid without CTAs is an error
  const size_t tiles = (count + TILE_INTS - 1) / TILE_INTS;
  add_one<<<static_cast<unsigned>(tiles), TILE_THREADS>>>(data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part pipeline: persistent CTAs. CTA number b has the tiles b, b + gridDim.x, b + 2 * gridDim.x
// and so on, and a ring of stages: its n-th tile goes through stage n % STAGES. Tune the numbers.

inline constexpr int STAGE_INTS = 1024;
inline constexpr int STAGES = 3;
inline constexpr int PIPELINE_THREADS = 128;
static_assert(STAGES >= 2, "one stage is stored while another is loaded");

__global__ void add_one_pipeline(int* data, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: the same as add_one, but with loads always under way.
  //: //   * The ring: STAGES tiles, each with a barrier ("full"): its load has landed.
  //: //   * Before the loop: start the loads of the first STAGES - 1 tiles.
  //: //   * Each turn of the loop: wait for this stage's barrier (which parity on which turn?),
  //: //     add, store, commit; then start a load into the stage that was stored the turn before.
  //: //     It may begin once that store has read its tile; this turn's store is still under way.
  //: //   * After the loop: wait until the last stores have read their tiles.
  //: //   * The leftover ints, as in add_one.
  __shared__ alignas(16) int4 tiles[STAGES][STAGE_INTS / INTS_PER_VECTOR];
  __shared__ uint64_t full[STAGES];

  const size_t end_of_vectors = count - count % INTS_PER_VECTOR;
  const size_t stride = static_cast<size_t>(gridDim.x) * STAGE_INTS;  // to this CTA's next tile
  size_t begin = static_cast<size_t>(blockIdx.x) * STAGE_INTS;        // of the tile to add to
  size_t load_begin = begin;                                          // of the tile to load next

  auto bytes_at = [&](size_t tile_begin) {
    return static_cast<int>(min(end_of_vectors - tile_begin, size_t{STAGE_INTS}) * sizeof(int));
  };
  auto load_next = [&](int stage) {  // called by thread 0 only
    if (load_begin < end_of_vectors) {
      expect_bytes_and_arrive(&full[stage], bytes_at(load_begin));
      cp_async_bulk_global_to_shared(tiles[stage], data + load_begin, bytes_at(load_begin),
                                     &full[stage]);
    }
    load_begin += stride;
  };

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) init_barrier(&full[stage], 1);
    async_proxy_fence();
    for (int stage = 0; stage < STAGES - 1; ++stage) load_next(stage);
  }
  __syncthreads();

  int stage = 0;
  int parity = 0;  // of the phase that the ring's present lap completes
  for (; begin < end_of_vectors; begin += stride) {
    const int bytes = bytes_at(begin);
    wait(&full[stage], parity);
    add_one_to_tile(tiles[stage], bytes / static_cast<int>(sizeof(int4)));
    async_proxy_fence();
    __syncthreads();

    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(data + begin, tiles[stage], bytes);
      tma_store_commit_group();
      // All stores but the one just issued have read their tiles: the stage before this one, which
      // is the one that the next load goes to, is free.
      tma_store_wait_until_pending_read<1>();
      load_next((stage + STAGES - 1) % STAGES);
    }
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }
  if (threadIdx.x == 0) tma_store_wait_until_pending_read<0>();

  const size_t leftover = end_of_vectors + threadIdx.x;
  if (blockIdx.x == 0 && leftover < count) data[leftover] += 1;
  // END SOLUTION
}

// As many CTAs as the GPU holds at once, but not more than there are tiles.
void launch_add_one_pipeline(int* data, size_t count) {
  if (count == 0) return;
  int device, sms, ctas_per_sm;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas_per_sm, add_one_pipeline,
                                                           PIPELINE_THREADS, 0));
  const size_t tiles = (count + STAGE_INTS - 1) / STAGE_INTS;
  const size_t ctas = std::min(tiles, static_cast<size_t>(sms) * ctas_per_sm);
  add_one_pipeline<<<static_cast<unsigned>(ctas), PIPELINE_THREADS>>>(data, count);
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
