// A CTA ends while the engine still works in its shared memory. Does the next CTA on that SM come
// into memory that is being read, or written?
//
// All CTAs write their whole tile at once, each another value, and there are many more of them than
// fit on the chip: so whoever comes next writes over what its forerunner's store has yet to read,
// and finds in its tile what its forerunner's load brings late.
#include "experiment.h"

using namespace experiment;

namespace {

constexpr int threads = 128;
constexpr int words = 8192;  // of a tile: seven of them fit into an SM
constexpr int bytes = words * static_cast<int>(sizeof(int));
constexpr int ctas_per_sm = 150;
constexpr int foreign = -1;  // no CTA's own value

enum class End { without_waiting, behind_the_read, behind_another_write };
enum class Look { before_the_load, behind_the_load };

__device__ int own_value() {
  return static_cast<int>(blockIdx.x) + 1;
}

__device__ void fill(int* tile, int value) {
  for (int i = static_cast<int>(threadIdx.x); i < words; i += threads) tile[i] = value;
}

// Each CTA stores its tile, in so many pieces, and ends.
template <End end, int pieces>
__global__ void __launch_bounds__(threads) store_and_end(int* out) {
  extern __shared__ int4 memory[];
  int* const tile = reinterpret_cast<int*>(memory);
  fill(tile, own_value());
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    constexpr int piece = words / pieces;
    int* const target = out + std::size_t{blockIdx.x} * words;
    for (int i = 0; i < pieces; ++i) {
      cp_async_bulk_shared_to_global(target + i * piece, tile + i * piece, bytes / pieces);
    }
    tma_store_commit_group();
    if constexpr (end == End::behind_the_read) tma_store_wait_until_pending_read<0>();
  }
  if constexpr (end == End::behind_another_write) {
    __syncthreads();
    fill(tile, foreign);
  }
}

__global__ void compare(const int* out, Counts* counts) {
  Counts mine;
  const int* const tile = out + std::size_t{blockIdx.x} * words;
  for (int i = static_cast<int>(threadIdx.x); i < words; i += threads) {
    mine.wrong += tile[i] != own_value();
    ++mine.of;
  }
  add_to(counts, mine);
}

// Each CTA loads into its tile, does not wait, and ends; what it finds there is counted.
template <Look look>
__global__ void __launch_bounds__(threads) load_and_end(const int* source, Counts* counts) {
  extern __shared__ int4 memory[];
  __shared__ uint64_t landed;
  int* const tile = reinterpret_cast<int*>(memory);
  const auto load = [&] {
    if (threadIdx.x != 0) return;
    cp_async_bulk_global_to_shared(tile, source + blockIdx.x % 64 * words, bytes, &landed);
  };
  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    expect_bytes_and_arrive(&landed, bytes);
  }
  fill(tile, own_value());
  async_proxy_fence();
  __syncthreads();
  if constexpr (look == Look::behind_the_load) load();
  Counts mine;
  for (int lap = 0; lap < 4; ++lap) {
    for (int i = static_cast<int>(threadIdx.x); i < words; i += threads) {
      mine.wrong += const_cast<volatile int*>(tile)[i] != own_value();
      ++mine.of;
    }
  }
  __syncthreads();
  if constexpr (look == Look::before_the_load) load();
  add_to(counts, mine);
}

void allow_dynamic_memory(const void* kernel) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute");
}

template <End end, int pieces>
void run_stores(const std::string& name) {
  const int ctas = sm_count() * ctas_per_sm;
  const auto count = std::size_t{static_cast<unsigned>(ctas)} * words;
  int* const out = zeros<int>(count);
  allow_dynamic_memory(reinterpret_cast<const void*>(store_and_end<end, pieces>));
  measure("The next CTA writes what a bulk store of the last one reads", name,
          end == End::behind_another_write, [&](Counts* counts) {
            check(cudaMemset(out, 0, count * sizeof(int)), "cudaMemset");
            store_and_end<end, pieces><<<ctas, threads, bytes>>>(out);
            compare<<<ctas, threads>>>(out, counts);
          });
  check(cudaFree(out), "cudaFree");
}

template <Look look>
void run_loads(const std::string& name) {
  const int ctas = sm_count() * ctas_per_sm;
  int* const source = zeros<int>(std::size_t{64} * words);
  check(cudaMemset(source, 0xff, std::size_t{64} * bytes), "cudaMemset");
  allow_dynamic_memory(reinterpret_cast<const void*>(load_and_end<look>));
  measure("The next CTA reads where a copy into the last one lands", name,
          look == Look::behind_the_load,
          [&](Counts* counts) { load_and_end<look><<<ctas, threads, bytes>>>(source, counts); });
  check(cudaFree(source), "cudaFree");
}

}  // namespace

int main() {
  run_stores<End::behind_another_write, 1>("the threads write their own tile again");
  run_stores<End::without_waiting, 1>("a store of 32 KiB, no wait");
  run_stores<End::without_waiting, 32>("32 stores of 1 KiB, no wait");
  run_stores<End::behind_the_read, 32>(
      "32 stores of 1 KiB, `tma_store_wait_until_pending_read<0>()`");
  run_loads<Look::behind_the_load>("the threads read their own tile while it is loaded");
  run_loads<Look::before_the_load>("32 KiB, no wait");
}
