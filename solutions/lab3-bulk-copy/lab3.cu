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
  // BEGIN SOLUTION
  //: // TODO: add one to all `count` ints of data, with one bulk copy in each direction.
  //: //   1. Declare the tile (aligned to 16 bytes, room for ONE_TILE_MAX_INTS) and an mbarrier,
  //: //      both in shared memory.
  //: //   2. One thread initializes the barrier for one arrival and fences it for the async proxy.
  //: //   3. That thread expects the bytes and arrives, and starts the load.
  //: //   4. All threads wait for phase 0, then call add_one_to_tile.
  //: //   5. Make the sums visible to the TMA engine; then one thread stores the tile, commits, and
  //: //      waits until the tile has been read.
  __shared__ alignas(16) int4 tile[ONE_TILE_MAX_INTS / INTS_PER_VECTOR];
  __shared__ uint64_t loaded;
  const int bytes = count * static_cast<int>(sizeof(int));

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();  // the engine must see an initialized barrier
    expect_bytes_and_arrive(&loaded, bytes);
    cp_async_bulk_global_to_shared(tile, data, bytes, &loaded);
  }
  __syncthreads();  // nobody waits on a barrier that is not yet initialized
  wait(&loaded, 0);

  add_one_to_tile(tile, count / INTS_PER_VECTOR);

  async_proxy_fence();  // each thread: my sums, for the engine to see
  __syncthreads();      // all threads' sums are there
  if (threadIdx.x == 0) {
    cp_async_bulk_shared_to_global(data, tile, bytes);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();  // the tile must stay until the engine has read it
  }
  // END SOLUTION
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
  // BEGIN SOLUTION
  //: // TODO: add one to all `count` ints of data. CTA b has the tile that begins at
  //: //   b * TILE_INTS; the last tile may be shorter, down to no vector at all.
  //: //   * Bulk copies move whole vectors (INTS_PER_VECTOR ints). The up to three ints at the very
  //: //     end of data are left to plain loads and stores, by one CTA, once.
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
  // BEGIN SOLUTION
  //: // TODO: the same as add_one, but with loads always in flight, in the chapter's four steps.
  //: //   * The ring: STAGES tiles in dynamic shared memory (more than the 48 KiB that a CTA may
  //: //     have without opting in), each with a barrier ("full": its load has landed) and the
  //: //     position of its tile in data.
  //: //   * Thread 0 takes a tile with atomicAdd(&next_tile, 1). A CTA stops at its first tile that
  //: //     lies past the end. The CTA that took the very last number sets next_tile back to 0.
  //: //   * Before the loop: start the loads of the first STAGES - 1 tiles.
  //: //   * Each iteration: wait for this stage's barrier (with which parity?), add, store, commit;
  //: //     then start a load into the stage that was stored in the previous iteration. It may
  //: //     begin once that store has read its tile; this iteration's store is still in flight.
  //: //   * After the loop: wait until the last stores have read their tiles.
  //: //   * The leftover ints, as in add_one.
  alignas(128) extern __shared__ int4 ring[];  // 16 would be right; 128 is fast
  __shared__ uint64_t full[STAGES];
  __shared__ size_t begins[STAGES];  // of the tile in each stage

  const size_t end_of_vectors = count - count % INTS_PER_VECTOR;
  auto tile_of = [&](int stage) { return ring + stage * (STAGE_INTS / INTS_PER_VECTOR); };
  auto bytes_at = [&](size_t begin) {
    return static_cast<int>(min(end_of_vectors - begin, size_t{STAGE_INTS}) * sizeof(int));
  };

  unsigned taken = 0;                // the tile that this CTA loads next; thread 0 knows it
  auto load_next = [&](int stage) {  // called by thread 0 only
    const size_t begin = begins[stage] = static_cast<size_t>(taken) * STAGE_INTS;
    if (begin < end_of_vectors) {
      expect_bytes_and_arrive(&full[stage], bytes_at(begin));
      cp_async_bulk_global_to_shared(tile_of(stage), data + begin, bytes_at(begin), &full[stage],
                                     CACHE_POLICY_EVICT_LAST);
      taken = atomicAdd(&next_tile, 1);  // takes long; the result is needed next time
    } else {
      arrive(&full[stage], 1);  // nothing will come
    }
  };

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) init_barrier(&full[stage], 1);
    async_proxy_fence();
    taken = atomicAdd(&next_tile, 1);
    for (int stage = 0; stage < STAGES - 1; ++stage) load_next(stage);
  }
  __syncthreads();

  int stage = 0;
  int parity = 0;  // of the phase that the ring's current lap completes
  while (true) {
    wait(&full[stage], parity);
    const size_t begin = begins[stage];
    if (begin >= end_of_vectors) break;

    add_one_to_tile(tile_of(stage), bytes_at(begin) / static_cast<int>(sizeof(int4)));
    async_proxy_fence();
    __syncthreads();

    if (threadIdx.x == 0) {
      cp_async_bulk_shared_to_global(data + begin, tile_of(stage), bytes_at(begin),
                                     CACHE_POLICY_EVICT_FIRST);
      tma_store_commit_group();
      // All stores but the one just issued have read their tiles. So the previous stage, which the
      // next load goes to, is free.
      tma_store_wait_until_pending_read<1>();
      load_next((stage + STAGES - 1) % STAGES);
    }
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }

  if (threadIdx.x == 0) {
    tma_store_wait_until_pending_read<0>();
    // Every tile was taken once, and every CTA took one more number, which lies past the end.
    const size_t tiles = (end_of_vectors + STAGE_INTS - 1) / STAGE_INTS;
    if (taken == tiles + gridDim.x - 1) next_tile = 0;
  }

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
