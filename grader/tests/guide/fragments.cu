// What the blocks of code on the guide's pages stand in: a kernel for each page, into which its
// block is put where the page is named, piece by piece if the block has gaps ("..."). The program
// runs the kernel that its argument names and says how many of the numbers that it gives are wrong.
#include <cstring>
#include <string>

#include "try.cuh"

inline constexpr int THREADS = 128;
inline constexpr int INTS = 256;
inline constexpr int BYTES = INTS * static_cast<int>(sizeof(int));

// How many of the tile's ints are not those of the array.
__device__ int wrong_ints(const int* tile, const int* array) {
  int wrong = 0;
  for (int i = 0; i < INTS; ++i) wrong += tile[i] != array[i];
  return wrong;
}

__global__ void alignment(int* wrong) {
  // FRAGMENT alignment
  if (threadIdx.x == 0) {
    *wrong = shared_address(piece) % 16 != 0;
    *wrong += shared_address(tile) % 128 != 0;
    *wrong += shared_address(ring) % 128 != 0;
  }
}

__global__ void loads(const int* source, int* wrong) {
  __shared__ alignas(16) int tile[INTS];
  __shared__ uint64_t bar;
  const int bytes = BYTES, parity = 0;
  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    // FRAGMENT loads
  }
  __syncthreads();
  // FRAGMENT loads
  if (threadIdx.x == 0) *wrong = wrong_ints(tile, source);
}

__global__ void stores(int* target) {
  __shared__ alignas(16) int tile[INTS];
  const int bytes = BYTES;
  for (int i = threadIdx.x; i < INTS; i += THREADS) tile[i] = i + 1;
  // FRAGMENT stores
}

__global__ void reductions(int* sums) {
  __shared__ alignas(16) int tile[INTS];
  const int bytes = BYTES;
  for (int i = threadIdx.x; i < INTS; i += THREADS) tile[i] = i + 1;
  // FRAGMENT reductions
}

__global__ void cache_policies(const int* source, int* target) {
  __shared__ alignas(16) int tile[INTS];
  __shared__ uint64_t bar;
  const int bytes = BYTES;
  if (threadIdx.x != 0) return;
  init_barrier(&bar, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&bar, bytes);
  // FRAGMENT cache-policies
  wait(&bar, 0);
  // FRAGMENT cache-policies
  tma_store_commit_group();
  tma_store_wait_until_pending<0>();
}

// Each CTA arrives at the other's barrier.
__global__ __cluster_dims__(2) void clusters(int* wrong) {
  __shared__ uint64_t bar;
  // FRAGMENT clusters
  if (threadIdx.x == 0) {
    arrive_remote(map_to_cta(&bar, cluster_rank() ^ 1), 1);
    wait_cluster(&bar, 0);
    *wrong = 0;
  }
}

__global__ void initialized_by_who_issues(const int* source, int* wrong) {
  __shared__ alignas(16) int tile[INTS];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);  // and no fence: handout/findings/missing-barrier-init-fence.md
    expect_bytes_and_arrive(&bar, BYTES);
    cp_async_bulk_global_to_shared(tile, source, BYTES, &bar);
  }
  __syncthreads();
  wait(&bar, 0);
  if (threadIdx.x == 0) *wrong = wrong_ints(tile, source);
}

namespace tensor_maps {
// FRAGMENT tensor-maps
{ prefetch_tensor_map(&map); }
}  // namespace tensor_maps

// The map is that of another array, of fewer rows of 16 ints.
__global__ void tensor_map_edit(const __grid_constant__ CUtensorMap original, CUtensorMap* maps,
                                int* matrix, int* wrong) {
  __shared__ alignas(128) int tile[INTS];
  __shared__ uint64_t bar;
  const int rows = 16, c0 = 0, c1 = 0;
  if (threadIdx.x == 0) {
    init_barrier(&bar, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&bar, BYTES);
  }
  // FRAGMENT tensor-map-edit
  __syncwarp();
  wait(&bar, 0);
  if (threadIdx.x == 0) *wrong = wrong_ints(tile, matrix);
}

// Loads a tile of 64 x 64 of each factor.
__device__ void load_factors(bf16* a, bf16* b, const CUtensorMap* a_map, const CUtensorMap* b_map,
                             uint64_t* loaded) {
  if (threadIdx.x == 0) {
    init_barrier(loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(loaded, 2 * 64 * DEPTH * sizeof(bf16));
    cp_async_bulk_tensor_2d_global_to_shared(a, a_map, 0, 0, loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b, b_map, 0, 0, loaded);
  }
  __syncthreads();
}

// How many of this thread's sums are not those of the product, which has element (row, column) at
// [row * 64 + column].
__device__ int wrong_sums(const float (&d)[4][8], const float* product) {
  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  int wrong = 0;
  for (int i = 0; i < 32; ++i) {
    const int row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
    const int column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
    wrong += d[i / 8][i % 8] != product[row * 64 + column];
  }
  return wrong;
}

// Twice: sums that nobody has set are those of the first round in the second one.
__global__ void wgmma(const __grid_constant__ CUtensorMap a_map,
                      const __grid_constant__ CUtensorMap b_map, const float* product, int* wrong) {
  __shared__ alignas(1024) bf16 tile[64 * DEPTH];
  __shared__ alignas(1024) bf16 other[64 * DEPTH];
  __shared__ uint64_t loaded;
  load_factors(tile, other, &a_map, &b_map, &loaded);
  wait(&loaded, 0);
  // FRAGMENT matrix-descriptors
  const uint64_t b = columns_of(other, 0, 0);
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    // FRAGMENT wgmma
    atomicAdd(wrong, wrong_sums(d, product));
  }
}

__global__ void elsewhere(const __grid_constant__ CUtensorMap a_map,
                          const __grid_constant__ CUtensorMap b_map, const float* product,
                          int* wrong) {
  __shared__ alignas(1024) bf16 a[1][64 * DEPTH];
  __shared__ alignas(1024) bf16 b[1][64 * DEPTH];
  __shared__ uint64_t full[1], empty[1];
  const int stage = 0, parity = 0;
  if (threadIdx.x == 0) init_barrier(&empty[stage], WARPGROUP / WARP);
  load_factors(a[stage], b[stage], &a_map, &b_map, &full[stage]);
  float sums[4][8] = {};
  // FRAGMENT elsewhere
  wait(&empty[stage], parity);
  atomicAdd(wrong, wrong_sums(sums, product));
}

// A product of 64 x 8 x 16 from core matrices that lie as the two offsets say.
__global__ void core_matrices(const bf16* a, const bf16* b, uint64_t leading, uint64_t stride,
                              const float* product, int* wrong) {
  __shared__ alignas(128) unsigned char a_tile[64 * 32], b_tile[64 * 32];
  for (int i = threadIdx.x; i < 64 * 16; i += THREADS) {
    const int row = i / 16, byte = i % 16 * static_cast<int>(sizeof(bf16));
    const auto place = row / 8 * stride + byte / 16 * leading + row % 8 * 16 + byte % 16;
    *reinterpret_cast<bf16*>(a_tile + place) = a[row * DEPTH + i % 16];
    *reinterpret_cast<bf16*>(b_tile + place) = b[row * DEPTH + i % 16];
  }
  async_proxy_fence();
  __syncthreads();
  float d[4][8];
  warpgroup_arrive();
  wgmma_n64<0, 1, 1, 0, 0>(make_smem_desc<NO_SWIZZLE>(a_tile, leading, stride),
                           make_smem_desc<NO_SWIZZLE>(b_tile, leading, stride), d);
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  atomicAdd(wrong, wrong_sums(d, product));
}

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* device = nullptr;
  cuda_check(cudaMalloc(&device, values.size() * sizeof(T)));
  cuda_check(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyDefault));
  return device;
}

// The product of the first `depth` columns of both.
std::vector<float> product_of(const Matrix& a, const Matrix& b, int depth) {
  std::vector<float> c;
  for (int i = 0; i < a.rows * b.rows; ++i) {
    float sum = 0;
    for (int k = 0; k < depth; ++k) {
      sum += a.values[i / b.rows * a.columns + k] * b.values[i % b.rows * b.columns + k];
    }
    c.push_back(sum);
  }
  return c;
}

int main(int count, char** arguments) {
  std::vector<int> ascending(INTS), twice(INTS);
  for (int i = 0; i < INTS; ++i) {
    ascending[i] = i + 1;
    twice[i] = 2 * (i + 1);
  }
  int* const source = on_device(ascending);
  int* const target = on_device(ascending);
  int* const zeros = on_device(std::vector<int>(INTS));
  int* const wrong = on_device(std::vector<int>{0});
  const Matrix a(64, DEPTH, 64, 1), b(64, DEPTH, 64, 2);
  const auto of_columns = [&](int depth) { return on_device(product_of(a, b, depth)); };
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };

  const int* got = wrong;
  std::vector<int> expected{0};
  if (is("alignment")) alignment<<<1, THREADS, BYTES>>>(wrong);
  if (is("loads")) loads<<<1, THREADS>>>(source, wrong);
  if (is("initialized_by_who_issues")) initialized_by_who_issues<<<1, THREADS>>>(source, wrong);
  if (is("clusters")) clusters<<<2, THREADS>>>(wrong);
  if (is("wgmma")) wgmma<<<1, THREADS>>>(a.map, b.map, of_columns(32), wrong);
  if (is("elsewhere")) elsewhere<<<1, THREADS>>>(a.map, b.map, of_columns(64), wrong);
  if (is("tensor-maps")) tensor_maps::kernel<<<1, 1>>>(a.map);
  if (is("core_matrices")) {
    core_matrices<<<1, THREADS>>>(a.device, b.device, std::stoi(arguments[2]),
                                  std::stoi(arguments[3]), of_columns(16), wrong);
  }
  if (is("tensor-map-edit")) {
    const CUtensorMap of_zeros = make_tensor_map<int, 2>(zeros, {16, 4}, {64}, {16, 16});
    CUtensorMap* const maps = on_device(std::vector<CUtensorMap>(1));
    tensor_map_edit<<<1, WARP>>>(of_zeros, maps, source, wrong);
  }
  if (is("stores")) {
    stores<<<1, THREADS>>>(zeros);
    got = zeros, expected = ascending;
  }
  if (is("cache-policies")) {
    cache_policies<<<1, THREADS>>>(source, zeros);
    got = zeros, expected = ascending;
  }
  if (is("reductions")) {
    reductions<<<1, THREADS>>>(target);
    got = target, expected = twice;
  }
  cuda_check(cudaGetLastError());
  std::vector<int> there(expected.size());
  cuda_check(cudaMemcpy(there.data(), got, there.size() * sizeof(int), cudaMemcpyDefault));
  std::printf("%s: %s\n", arguments[1], there == expected ? "right" : "wrong");
  return there != expected;
}
