// cuda::ptx: st_async and red_async to the shared memory of another CTA, and bulk copies within a
// cluster: from global memory to all CTAs (multicast) and from CTA to CTA.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "real_test.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using namespace real_test;

constexpr int threads = 32;

// A barrier for the bytes that come from elsewhere; all CTAs have one when this returns.
__device__ void begin(uint64_t* barrier, unsigned bytes) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier,
                                   bytes);
  }
  cg::this_cluster().sync();
}
__device__ void wait(uint64_t* barrier) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, 0)) {
  }
}

__global__ void __cluster_dims__(2, 1, 1) store(int* out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ alignas(16) int words[threads];
  __shared__ alignas(16) int pairs[2 * threads];
  __shared__ alignas(16) int quads[4 * threads];
  __shared__ alignas(16) int64_t wide[3 * threads];
  begin(&barrier, sizeof words + sizeof pairs + sizeof quads + sizeof wide);
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  const int t = static_cast<int>(threadIdx.x), value = static_cast<int>(1000 * other + threadIdx.x);
  uint64_t* const theirs = cluster.map_shared_rank(&barrier, other);
  ptx::st_async(cluster.map_shared_rank(&words[t], other), value, theirs);
  const int two[] = {value, -value};
  ptx::st_async(cluster.map_shared_rank(&pairs[2 * t], other), two, theirs);
  const int four[] = {value, value + 1, value + 2, value + 3};
  ptx::st_async(cluster.map_shared_rank(&quads[4 * t], other), four, theirs);
  const int64_t two_wide[] = {value, value << 20};
  ptx::st_async(cluster.map_shared_rank(&wide[2 * t], other), two_wide, theirs);
  ptx::st_async(cluster.map_shared_rank(&wide[2 * threads + t], other), int64_t{-value}, theirs);
  wait(&barrier);
  const int sum = words[t] + 3 * pairs[2 * t] + 5 * pairs[2 * t + 1] + 7 * quads[4 * t] +
                  11 * quads[4 * t + 3] + 13 * static_cast<int>(wide[2 * t]) +
                  17 * static_cast<int>(wide[2 * t + 1] >> 20) +
                  19 * static_cast<int>(wide[2 * threads + t]);
  out[blockIdx.x * threads + t] = sum;
  cluster.sync();
}

// Every thread of CTA 1 reduces into the same variables of CTA 0.
__global__ void __cluster_dims__(2, 1, 1) reduce(long long* out) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ uint32_t u[6], bits[3];
  __shared__ int32_t s[3];
  __shared__ uint64_t wide;
  __shared__ int64_t signed_wide;
  if (threadIdx.x == 0) {
    for (uint32_t& x : u) x = 5;
    for (int32_t& x : s) x = 5;
    bits[0] = ~0u;
    bits[1] = bits[2] = 0;
    wide = 1ULL << 40;
    signed_wide = -1;
  }
  const cg::cluster_group cluster = cg::this_cluster();
  begin(&barrier, cluster.block_rank() == 0 ? threads * (11 * 4 + 2 * 8) : 0);
  if (cluster.block_rank() == 1) {
    const auto at = [&](auto* variable) { return cluster.map_shared_rank(variable, 0); };
    uint64_t* const theirs = at(&barrier);
    const uint32_t t = threadIdx.x;
    ptx::red_async(ptx::op_add, at(&u[0]), t, theirs);
    ptx::red_async(ptx::op_min, at(&u[1]), t + 2, theirs);
    ptx::red_async(ptx::op_max, at(&u[2]), t, theirs);
    ptx::red_async(ptx::op_inc, at(&u[3]), uint32_t{20}, theirs);
    ptx::red_async(ptx::op_dec, at(&u[4]), uint32_t{9}, theirs);
    ptx::red_async(ptx::op_add, at(&s[0]), -static_cast<int32_t>(t), theirs);
    ptx::red_async(ptx::op_min, at(&s[1]), -static_cast<int32_t>(t), theirs);
    ptx::red_async(ptx::op_max, at(&s[2]), -static_cast<int32_t>(t), theirs);
    ptx::red_async(ptx::op_and_op, at(&bits[0]), ~(1u << t / 2), theirs);
    ptx::red_async(ptx::op_or_op, at(&bits[1]), 1u << t / 2, theirs);
    ptx::red_async(ptx::op_xor_op, at(&bits[2]), 1u << t % 20, theirs);
    ptx::red_async(ptx::op_add, at(&wide), uint64_t{t} << 35, theirs);
    ptx::red_async(ptx::op_add, at(&signed_wide), -static_cast<int64_t>(t) * (1LL << 33),
                   reinterpret_cast<int64_t*>(theirs));
  } else {
    wait(&barrier);
    if (threadIdx.x == 0) {
      const long long results[] = {u[0],       u[1],    u[2],    u[3],
                                   u[4],       s[0],    s[1],    s[2],
                                   bits[0],    bits[1], bits[2], static_cast<long long>(wide),
                                   signed_wide};
      for (int i = 0; i < 13; ++i) out[i] = results[i];
    }
  }
  cluster.sync();
}

// CTA 0 copies a tile to all CTAs; each hands it to the next one.
__global__ void __cluster_dims__(4, 1, 1) bulk(const int* in, int* out) {
  constexpr int count = 128;
  __shared__ alignas(16) int first[count], second[count];
  __shared__ alignas(8) uint64_t barriers[2];
  begin(&barriers[0], sizeof first);
  begin(&barriers[1], sizeof second);
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % 4;
  if (rank == 0 && threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, first, in, sizeof first, &barriers[0],
                       uint16_t{0b1111});
  }
  wait(&barriers[0]);
  for (int i = threadIdx.x; i < count; i += threads) first[i] += 1000 * static_cast<int>(rank);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(second, next),
                       first, sizeof first, cluster.map_shared_rank(&barriers[1], next));
  }
  wait(&barriers[1]);
  for (int i = threadIdx.x; i < count; i += threads) out[rank * count + i] = second[i];
  cluster.sync();
}

int main() {
  const DeviceArray<int> stored(2 * threads);
  store<<<2, threads>>>(stored.data());
  std::vector<int> expected;
  for (int i = 0; i < 2 * threads; ++i) {
    const int v = 1000 * (i / threads) + i % threads;  // CTA r receives 1000 r + t
    expected.push_back(v + 3 * v - 5 * v + 7 * v + 11 * (v + 3) + 13 * v + 17 * v - 19 * v);
  }
  expect_equal("st_async", stored, expected);

  const DeviceArray<long long> reduced(13);
  reduce<<<2, threads>>>(reduced.data());
  unsigned xored = 0, inc = 5, dec = 5;
  for (int t = 0; t < threads; ++t) {
    xored ^= 1u << t % 20;
    inc = inc >= 20 ? 0 : inc + 1;
    dec = dec == 0 || dec > 9 ? 9 : dec - 1;
  }
  const long long sum = threads * (threads - 1) / 2;
  expect_equal("red_async", reduced,
               {5 + sum, 2, 31, inc, dec, 5 - sum, -31, 5, 0xFFFF0000LL, 0xFFFF, xored,
                (1LL << 40) + (sum << 35), -1 - (sum << 33)});

  const std::vector<int> values = small_values<int>(128);
  const DeviceArray<int> in(values), copied(4 * 128);
  bulk<<<4, threads>>>(in.data(), copied.data());
  expected.clear();
  for (int rank = 0; rank < 4; ++rank) {
    for (const int value : values) expected.push_back(value + 1000 * ((rank + 3) % 4));
  }
  expect_equal("bulk copies in a cluster", copied, expected);
  return runtime_test::result();
}
