// Memory is read that nobody has written: shared, global, through either proxy.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair short_of_a_warp
// Three of four warps fill the tile.
template <bool mistaken>
__global__ void short_of_a_warp(const int* in, int* out) {
  __shared__ int tile[128];
  if (threadIdx.x < (mistaken ? 96 : 128)) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: uninitialized-read
}

//: pair sums_of_absent_warps
// The first warp adds one sum a warp; there are 4 warps and not 32.
int one_a_warp(int) {
  return 4;
}
template <bool mistaken>
__global__ void sums_of_absent_warps(const int* in, int* out) {
  __shared__ int sums[32];
  const unsigned lane = threadIdx.x % 32;
  const int sum = __reduce_max_sync(0xffffffff, in[threadIdx.x] > 0 ? 1 : 0);
  if (lane == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    const unsigned warps = mistaken ? 32 : blockDim.x / 32;
    int mine = 0;
    if (lane < warps) mine = sums[lane];  //: uninitialized-read
    out[lane] = __reduce_add_sync(0xffffffff, mine);
  }
}

//: pair bins_without_zeros
int eight(int) {
  return 8;
}
template <bool mistaken>
__global__ void bins_without_zeros(const int* in, int* out) {
  __shared__ int bins[16];
  if (!mistaken && threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 16], 1);  //: uninitialized-read
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

//: pair halo
// A stencil reads one element on either side of the tile; nobody has written the right one.
int sum_of_three(int i) {
  return (i == 0 ? 0 : i) + (i + 1) + (i == 127 ? 0 : i + 2);
}
template <bool mistaken>
__global__ void halo(const int* in, int* out) {
  __shared__ int tile[130];
  const unsigned at = threadIdx.x + 1;
  tile[at] = in[threadIdx.x];
  if (threadIdx.x == 0) tile[0] = 0;
  if (!mistaken && threadIdx.x == 0) tile[129] = 0;
  __syncthreads();
  int sum = tile[at - 1] + tile[at];
  sum += tile[at + 1];  //: uninitialized-read
  out[threadIdx.x] = sum;
}

//: pair fourth_word
// Three words of each four are written, four are read.
int first_of_four(int i) {
  return i % 4 == 3 ? 0 : i / 4 + 1;
}
template <bool mistaken>
__global__ void fourth_word(const int* in, int* out) {
  __shared__ alignas(16) int fours[32 * 4];
  for (int word = 0; word < 3; ++word) {
    fours[threadIdx.x * 4 + word] = in[threadIdx.x];
  }
  if constexpr (!mistaken) fours[threadIdx.x * 4 + 3] = 0;
  __syncwarp();
  const unsigned other_lane = 31 - threadIdx.x;
  auto* to = reinterpret_cast<int4*>(out);
  to[other_lane] = reinterpret_cast<const int4*>(fours)[other_lane];  //: uninitialized-read
}

//: pair load_of_half_a_tile
template <bool mistaken>
__global__ void load_of_half_a_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  constexpr unsigned bytes = mistaken ? 128 * sizeof(short) : 128 * sizeof(int);
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, bytes);
    load_bulk(tile, in, bytes, &loaded);
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: uninitialized-read
}

//: pair store_of_half_a_tile
// The TMA engine reads what nobody has written.
template <bool mistaken>
__global__ void store_of_half_a_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  if (threadIdx.x % 2 == 0 || !mistaken) tile[threadIdx.x] = in[127 - threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: uninitialized-read
    commit_group();
    wait_group_read<0>();
  }
}

//: pair tile_of_the_other_cta
// Only the first CTA of the cluster has a tile to read.
template <bool mistaken>
__global__ void __cluster_dims__(2) tile_of_the_other_cta(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  if (rank == 0) tile[threadIdx.x] = in[threadIdx.x];
  cluster_sync();
  const unsigned source = mistaken ? rank ^ 1 : 0;
  const int value = load_remote(address_in_cta(&tile[threadIdx.x], source));  //: uninitialized-read
  out[rank * 128 + threadIdx.x] = value;
  cluster_sync();
}

//: pair memory_without_memset
template <bool mistaken>
__global__ void adds_to(const int* in, int* sums) {
  sums[threadIdx.x] += in[threadIdx.x];  //: uninitialized-read
}
template <bool mistaken>
Outcome memory_without_memset() {
  const Memory memory;
  int* sums = nullptr;
  note(cudaMalloc(&sums, 128 * sizeof(int)));
  if constexpr (!mistaken) note(cudaMemset(sums, 0, 128 * sizeof(int)));
  adds_to<mistaken><<<1, 128>>>(memory.in, sums);
  note(cudaMemcpy(memory.out, sums, 128 * sizeof(int), cudaMemcpyDeviceToDevice));
  const Outcome outcome = memory.compare(the_input, 128);
  note(cudaFree(sums));
  return outcome;
}

//: pair copied_elements_as_bytes
// cudaMemcpy counts bytes, and not elements.
template <bool mistaken>
__global__ void reads_a_copy(const int* copy, int* out) {
  out[threadIdx.x] = copy[127 - threadIdx.x];  //: uninitialized-read
}
template <bool mistaken>
Outcome copied_elements_as_bytes() {
  const Memory memory;
  int* copy = nullptr;
  note(cudaMalloc(&copy, 128 * sizeof(int)));
  const size_t bytes = mistaken ? 128 : 128 * sizeof(int);
  note(cudaMemcpy(copy, memory.in, bytes, cudaMemcpyDeviceToDevice));
  reads_a_copy<mistaken><<<1, 128>>>(copy, memory.out);
  const Outcome outcome = memory.compare(mirrored, 128);
  note(cudaFree(copy));
  return outcome;
}

//: pair load_of_fresh_memory
template <bool mistaken>
__global__ void loads_a_tile(const int* source, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, source, sizeof(tile), &loaded);  //: uninitialized-read
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
template <bool mistaken>
Outcome load_of_fresh_memory() {
  const Memory memory;
  int* source = nullptr;
  note(cudaMalloc(&source, 128 * sizeof(int)));
  const size_t bytes = mistaken ? 0 : 128 * sizeof(int);
  note(cudaMemcpy(source, memory.in, bytes, cudaMemcpyDeviceToDevice));
  loads_a_tile<mistaken><<<1, 128>>>(source, memory.out);
  const Outcome outcome = memory.compare(the_input, 128);
  note(cudaFree(source));
  return outcome;
}

//: pair fresh_bins
template <bool mistaken>
__global__ void counts(const int* in, int* bins) {
  atomicAdd(&bins[in[threadIdx.x] % 16], 1);  //: uninitialized-read
}
int eight_a_bin(int) {
  return 8;
}
template <bool mistaken>
Outcome fresh_bins() {
  const Memory memory;
  int* bins = nullptr;
  note(cudaMalloc(&bins, 16 * sizeof(int)));
  if constexpr (!mistaken) note(cudaMemset(bins, 0, 16 * sizeof(int)));
  counts<mistaken><<<1, 128>>>(memory.in, bins);
  note(cudaMemcpy(memory.out, bins, 16 * sizeof(int), cudaMemcpyDeviceToDevice));
  const Outcome outcome = memory.compare(eight_a_bin, 16);
  note(cudaFree(bins));
  return outcome;
}

// `count` of the four sums are set to 0. Registers have what was there before.
__device__ Sums sums_set(int count) {
#pragma nv_diag_suppress 549
  int unset[4];
  Sums sums;
  for (int i = count; i < 4; ++i) {
    sums.at[i] = unset[i];
  }
  return sums;
}

//: pair sums_that_nobody_set
// The second product adds to what the first one has written.
template <bool mistaken>
__global__ void sums_that_nobody_set(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums = sums_set(mistaken ? 0 : 4);
  fence_registers();
  multiply(sums, factors);  //: uninitialized-read
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair one_sum_that_nobody_set
template <bool mistaken>
__global__ void one_sum_that_nobody_set(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums = sums_set(mistaken ? 3 : 4);
  fence_registers();
#pragma unroll 1
  for (int step = 0; step < 2; ++step) {
    multiply(sums, factors);  //: uninitialized-read
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}

int of_both_ctas(int i) {
  return i % 128 + 1;
}
constexpr Pair pairs[] = {
    pair<short_of_a_warp<true>, short_of_a_warp<false>, mirrored>("short_of_a_warp"),
    pair<sums_of_absent_warps<true>, sums_of_absent_warps<false>, one_a_warp, Shape{.checked = 32}>(
        "sums_of_absent_warps"),
    pair<bins_without_zeros<true>, bins_without_zeros<false>, eight, Shape{.checked = 16}>(
        "bins_without_zeros"),
    pair<halo<true>, halo<false>, sum_of_three>("halo"),
    pair<fourth_word<true>, fourth_word<false>, first_of_four,
         Shape{.threads = 32, .checked = 128}>("fourth_word"),
    pair<load_of_half_a_tile<true>, load_of_half_a_tile<false>, mirrored>("load_of_half_a_tile"),
    pair<store_of_half_a_tile<true>, store_of_half_a_tile<false>, mirrored>("store_of_half_a_tile"),
    pair<tile_of_the_other_cta<true>, tile_of_the_other_cta<false>, of_both_ctas,
         Shape{.blocks = 2, .threads = 128, .checked = 256}>("tile_of_the_other_cta"),
    {"memory_without_memset", memory_without_memset<true>, memory_without_memset<false>},
    {"copied_elements_as_bytes", copied_elements_as_bytes<true>, copied_elements_as_bytes<false>},

    {"load_of_fresh_memory", load_of_fresh_memory<true>, load_of_fresh_memory<false>},
    {"fresh_bins", fresh_bins<true>, fresh_bins<false>},
    pair<sums_that_nobody_set<true>, sums_that_nobody_set<false>, twice_the_product, PRODUCT>(
        "sums_that_nobody_set"),
    pair<one_sum_that_nobody_set<true>, one_sum_that_nobody_set<false>, twice_the_product, PRODUCT>(
        "one_sum_that_nobody_set"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
