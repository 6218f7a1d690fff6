// Lab 7: a warp scheduler. Specialize warps, keep every stage busy.
//
// The warps of a CTA have different jobs and synchronize only through mbarriers. Two parts:
//   pipeline   a copy: one warp loads, another stores
//   axpy       y = a * x + y: one warp loads, eight compute, one stores
#include <cuda_bf16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

inline constexpr int WARP = 32;
// What a bulk copy's addresses and size are multiples of.
inline constexpr size_t VECTOR_BYTES = 16;

// Where a warp is in a ring of stages. Every warp has its own position; all of them go through the
// same stages in the same order. `parity` is the parity of the phase that the current lap
// completes.
template <int STAGES>
struct Position {
  int stage = 0;
  int parity = 0;

  __device__ void advance() {
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// The launchers below start as many CTAs as the GPU holds at once, but not more than there are
// tiles.
template <typename Kernel>
unsigned resident_ctas(Kernel kernel, int threads, size_t shared_bytes, size_t tiles) {
  int device, sms, ctas_per_sm;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  cuda_check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas_per_sm, kernel, threads, shared_bytes));
  return static_cast<unsigned>(std::min(tiles, static_cast<size_t>(sms) * ctas_per_sm));
}

// ---------------------------------------------------------------------------------------------
// Part pipeline: a copy of N elements between arrays aligned to 16 bytes. What one warp loads, the
// other stores. CTA b has the tiles b, b + gridDim.x, b + 2 * gridDim.x and so on.

inline constexpr int COPY_STAGE_BYTES = 4096;
inline constexpr int COPY_STAGES = 3;
// A CTA has few tiles: CTAs that start in order work close together in memory. But enough for a
// third lap of the ring, the first that shows whether its parities are right.
inline constexpr int COPY_TILES_PER_CTA = 8;
inline constexpr int COPY_THREADS = 2 * WARP;  // warp 0 is the producer, warp 1 the storer

__global__ void tma_multiwarp_pipeline(bf16* dest, const bf16* src, int N) {
  // BEGIN SOLUTION
  //: // TODO: copy the N elements of src to dest.
  //: //   * The ring: COPY_STAGES tiles, each with two barriers. "full": the tile has landed.
  //: //     "empty": the tile has been read and may be overwritten. How many arrivals for each?
  //: //   * One lane of the producer: for each of the CTA's tiles, wait until the stage is empty,
  //: //     start the load. On the first lap, nobody has ever emptied the stages: which parity
  //: //     lets the producer pass?
  //: //   * One lane of the storer, which is the other warp: for each tile, wait until the stage is
  //: //     full, store, commit, wait until the tile has been read, arrive on "empty".
  //: //   * Position says where a warp is in the ring. Each of the two has its own.
  //: //   * Which elements can no bulk copy move? One CTA copies them with plain loads and stores.
  __shared__ alignas(16) char tiles[COPY_STAGES][COPY_STAGE_BYTES];
  __shared__ uint64_t full[COPY_STAGES];   // the producer's arrival, and the bytes
  __shared__ uint64_t empty[COPY_STAGES];  // the storer's arrival

  const size_t count = N;
  const size_t end = count * sizeof(bf16) / VECTOR_BYTES * VECTOR_BYTES;  // of the vectors
  const size_t first = static_cast<size_t>(blockIdx.x) * COPY_STAGE_BYTES;
  const size_t stride = static_cast<size_t>(gridDim.x) * COPY_STAGE_BYTES;
  auto bytes_at = [&](size_t begin) { return min(end - begin, size_t{COPY_STAGE_BYTES}); };

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < COPY_STAGES; ++stage) {
      init_barrier(&full[stage], 1);
      init_barrier(&empty[stage], 1);
    }
    async_proxy_fence();
  }
  __syncthreads();  // the last one: from here on the warps go their own ways

  Position<COPY_STAGES> at;
  if (threadIdx.x == 0) {  // the producer
    for (size_t begin = first; begin < end; begin += stride, at.advance()) {
      wait(&empty[at.stage], at.parity ^ 1);  // passes at once on the first lap
      expect_bytes_and_arrive(&full[at.stage], bytes_at(begin));
      cp_async_bulk_global_to_shared(tiles[at.stage], reinterpret_cast<const char*>(src) + begin,
                                     bytes_at(begin), &full[at.stage]);
    }
  } else if (threadIdx.x == WARP) {  // the storer
    for (size_t begin = first; begin < end; begin += stride, at.advance()) {
      wait(&full[at.stage], at.parity);
      cp_async_bulk_shared_to_global(reinterpret_cast<char*>(dest) + begin, tiles[at.stage],
                                     bytes_at(begin));
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
      arrive(&empty[at.stage], 1);
    }
  }

  const size_t leftover = end / sizeof(bf16) + threadIdx.x;
  if (blockIdx.x == 0 && leftover < count) dest[leftover] = src[leftover];
  // END SOLUTION
}

void launch_multiwarp_pipeline(bf16* dest, bf16* src, const int N) {
  if (N == 0) return;  // a grid without CTAs is an error
  const size_t tiles = (N * sizeof(bf16) + COPY_STAGE_BYTES - 1) / COPY_STAGE_BYTES;
  const size_t ctas = (tiles + COPY_TILES_PER_CTA - 1) / COPY_TILES_PER_CTA;
  tma_multiwarp_pipeline<<<static_cast<unsigned>(ctas), COPY_THREADS>>>(dest, src, N);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part axpy: one CTA per SM, with a ring that takes nearly all of the SM's shared memory. A CTA
// takes the next tile when it has room for it. Tune the numbers.

inline constexpr int STAGE_FLOATS = 4096;
inline constexpr int STAGES = 6;
inline constexpr int CONSUMER_WARPS = 8;
inline constexpr int CONSUMERS = CONSUMER_WARPS * WARP;
inline constexpr int PRODUCER = CONSUMERS;       // the thread that loads
inline constexpr int STORER = CONSUMERS + WARP;  // the thread that stores
inline constexpr int AXPY_THREADS = CONSUMERS + 2 * WARP;
static_assert(STAGES >= 2, "one stage is stored while another is loaded");

// All of it in shared memory.
struct Ring {
  float4 x[STAGES][STAGE_FLOATS / 4];
  float4 y[STAGES][STAGE_FLOATS / 4];
  uint64_t full[STAGES];      // both tiles have landed: the producer's arrival, and the bytes
  uint64_t computed[STAGES];  // the sums are there: an arrival by each consumer warp
  uint64_t empty[STAGES];     // the sums have been read: the storer's arrival
  size_t begins[STAGES];  // the index of the tiles' first element; past the end: no tiles follow
};

// The number of the first tile that no CTA has taken. It is 0 between two launches (which do not
// overlap).
__device__ unsigned next_tile;

__device__ int floats_at(size_t begin, size_t end) {
  return static_cast<int>(min(end - begin, size_t{STAGE_FLOATS}));
}

// One thread. Takes tiles until there are none, and loads them. `end` is the end of the vectors.
__device__ void load_tiles(Ring& ring, const float* x, const float* y, size_t end) {
  // BEGIN SOLUTION
  //: // TODO: in a loop: take a tile (atomicAdd(&next_tile, 1)), wait until the stage is empty,
  //: //   write down where the tile begins, load it from x and from y, both on one barrier.
  //: //   * A tile that begins past the end has no bytes: write down where it begins, arrive, stop.
  //: //   * Every CTA takes one number past the end. The one with the last sets next_tile to 0.
  Position<STAGES> at;
  unsigned taken = atomicAdd(&next_tile, 1);
  while (true) {
    const size_t begin = static_cast<size_t>(taken) * STAGE_FLOATS;
    wait(&ring.empty[at.stage], at.parity ^ 1);  // passes at once on the first lap
    ring.begins[at.stage] = begin;
    if (begin >= end) break;

    const int bytes = floats_at(begin, end) * static_cast<int>(sizeof(float));
    uint64_t* full = &ring.full[at.stage];
    expect_bytes_and_arrive(full, 2 * bytes);
    cp_async_bulk_global_to_shared(ring.x[at.stage], x + begin, bytes, full,
                                   CACHE_POLICY_EVICT_LAST);
    cp_async_bulk_global_to_shared(ring.y[at.stage], y + begin, bytes, full,
                                   CACHE_POLICY_EVICT_LAST);
    taken = atomicAdd(&next_tile, 1);  // takes long; the result is needed next time
    at.advance();
  }
  arrive(&ring.full[at.stage], 1);  // nothing will come

  // Every tile was taken once, and every CTA took one more number, which lies past the end.
  const size_t tiles = (end + STAGE_FLOATS - 1) / STAGE_FLOATS;
  if (taken == tiles + gridDim.x - 1) next_tile = 0;
  // END SOLUTION
}

// All consumers. Puts a * x + y in the place of y, tile by tile.
__device__ void compute_tiles(Ring& ring, float a, size_t end) {
  // BEGIN SOLUTION
  //: // TODO: in a loop: wait until the stage is full, compute, make the sums visible to the TMA
  //: //   engine; then one lane of each warp arrives on "computed".
  //: //   * A consumer's number is threadIdx.x, from 0 to CONSUMERS - 1.
  //: //   * Only mbarriers (and __syncwarp) synchronize the warps here: __syncthreads would wait
  //: //     for the producer.
  //: //   * The storer must learn of the end too.
  Position<STAGES> at;
  while (true) {
    wait(&ring.full[at.stage], at.parity);
    const size_t begin = ring.begins[at.stage];
    const bool is_tile = begin < end;
    if (is_tile) {
      const float4* x = ring.x[at.stage];
      float4* y = ring.y[at.stage];
      for (int i = threadIdx.x; i < floats_at(begin, end) / 4; i += CONSUMERS) {
        const float4 u = x[i], v = y[i];
        y[i] = {a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w};
      }
      async_proxy_fence();  // each thread: my sums, for the engine to see
    }
    __syncwarp();  // all lanes' sums are there
    if (threadIdx.x % WARP == 0) arrive(&ring.computed[at.stage], 1);
    if (!is_tile) return;
    at.advance();
  }
  // END SOLUTION
}

// One thread. Stores the sums, and hands the stages back to the producer.
__device__ void store_tiles(Ring& ring, float* y, size_t end) {
  // BEGIN SOLUTION
  //: // TODO: in a loop: wait until the stage is computed, store, commit; then hand a stage back.
  //: //   Not this one: waiting for the store just issued would mean standing still. Hand back the
  //: //   previous one, whose store has read its tile by now, or nearly.
  Position<STAGES> at;
  int stored_before = -1;  // the stage whose store may still be reading
  while (true) {
    wait(&ring.computed[at.stage], at.parity);
    const size_t begin = ring.begins[at.stage];
    if (begin >= end) break;

    const int bytes = floats_at(begin, end) * static_cast<int>(sizeof(float));
    cp_async_bulk_shared_to_global(y + begin, ring.y[at.stage], bytes, CACHE_POLICY_EVICT_FIRST);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<1>();  // all but the store just issued
    if (stored_before >= 0) arrive(&ring.empty[stored_before], 1);
    stored_before = at.stage;
    at.advance();
  }
  tma_store_wait_until_pending_read<0>();  // the ring must stay until the engine has read it
  // END SOLUTION
}

__global__ void axpy(float a, const float* x, float* y, size_t count) {
  extern __shared__ float4 shared_memory[];
  Ring& ring = *reinterpret_cast<Ring*>(shared_memory);
  const size_t end = count / 4 * 4;  // of the vectors

  if (threadIdx.x == 0) {
    // BEGIN SOLUTION
    //: // TODO: initialize the barriers of every stage. How many arrivals does each wait for?
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&ring.full[stage], 1);
      init_barrier(&ring.computed[stage], CONSUMER_WARPS);
      init_barrier(&ring.empty[stage], 1);
    }
    async_proxy_fence();
    // END SOLUTION
  }
  __syncthreads();  // the last one: from here on the warps go their own ways

  if (threadIdx.x < CONSUMERS) {
    compute_tiles(ring, a, end);
  } else if (threadIdx.x == PRODUCER) {
    load_tiles(ring, x, y, end);
  } else if (threadIdx.x == STORER) {
    store_tiles(ring, y, end);
  }

  // What no bulk copy can move: up to three elements after the last whole vector.
  const size_t leftover = end + threadIdx.x;
  if (blockIdx.x == 0 && leftover < count) y[leftover] = a * x[leftover] + y[leftover];
}

void launch_axpy(float a, const float* x, float* y, size_t count) {
  if (count == 0) return;
  cuda_check(cudaFuncSetAttribute(axpy, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring)));
  const size_t tiles = (count + STAGE_FLOATS - 1) / STAGE_FLOATS;
  const unsigned ctas = resident_ctas(axpy, AXPY_THREADS, sizeof(Ring), tiles);
  axpy<<<ctas, AXPY_THREADS, sizeof(Ring)>>>(a, x, y, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

// An array on the device.
template <typename T>
T* on_device(const std::vector<T>& host) {
  T* data;
  cuda_check(cudaMalloc(&data, host.size() * sizeof(T)));
  cuda_check(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return data;
}

template <typename T>
std::vector<T> on_host(const T* data, size_t count) {
  std::vector<T> host(count);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

bool report(const char* part, size_t count, size_t wrong, float got, float expected) {
  if (wrong < count) {
    std::printf("%-8s  %zu elements: element %zu is %g, expected %g\n", part, count, wrong, got,
                expected);
    return false;
  }
  std::printf("%-8s  %zu elements: every one is right\n", part, count);
  return true;
}

bool test_pipeline(int N) {
  std::vector<bf16> sent(N);
  for (int i = 0; i < N; ++i) sent[i] = __float2bfloat16(static_cast<float>(i % 251));
  bf16* src = on_device(sent);
  bf16* dest = on_device(std::vector<bf16>(N, __float2bfloat16(-1)));
  launch_multiwarp_pipeline(dest, src, N);
  const std::vector<bf16> got = on_host(dest, N);
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));

  for (int i = 0; i < N; ++i) {
    const float expected = static_cast<float>(i % 251);
    if (__bfloat162float(got[i]) != expected) {
      return report("pipeline", N, i, __bfloat162float(got[i]), expected);
    }
  }
  return report("pipeline", N, N, 0, 0);
}

bool test_axpy(size_t count) {
  std::vector<float> xs(count), ys(count);
  for (size_t i = 0; i < count; ++i) {
    xs[i] = static_cast<float>(i % 1000);
    ys[i] = static_cast<float>(i % 77);
  }
  float* x = on_device(xs);
  float* y = on_device(ys);
  launch_axpy(2, x, y, count);
  const std::vector<float> got = on_host(y, count);
  cuda_check(cudaFree(x));
  cuda_check(cudaFree(y));

  for (size_t i = 0; i < count; ++i) {
    const float expected = 2 * xs[i] + ys[i];
    if (got[i] != expected) return report("axpy", count, i, got[i], expected);
  }
  return report("axpy", count, count, 0, 0);
}

int main() {
  bool right = test_pipeline(20'000'003);
  right &= test_axpy(5'000'003);
  return right ? 0 : 1;
}
