// cooperative_groups: reduce, reduce_update, inclusive and exclusive scans over groups and types;
// invoke_one and its broadcast.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <cuda/atomic>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

constexpr int threads = 128;
constexpr int results = 7;

template <class T, class Group>
__device__ void store_results(const Group& group, const T* in, T* out) {
  const T value = in[threadIdx.x];
  T* mine = out + results * threadIdx.x;
  mine[0] = cg::reduce(group, value, cg::plus<T>());
  mine[1] = cg::reduce(group, value, cg::less<T>());
  mine[2] = cg::reduce(group, value, cg::greater<T>());
  mine[3] = cg::inclusive_scan(group, value, cg::plus<T>());
  mine[4] = cg::exclusive_scan(group, value, cg::plus<T>());
  mine[5] = cg::inclusive_scan(group, value, cg::greater<T>());
  mine[6] = cg::reduce(group, value, [](T a, T b) { return static_cast<T>(a + b + 1); });
}

template <class T, int size>
__global__ void in_tiles(const T* in, T* out) {
  store_results(cg::tiled_partition<size>(cg::this_thread_block()), in, out);
}
template <class T>
__global__ void in_coalesced_groups(const T* in, T* out) {
  if (threadIdx.x % 32 < 11) store_results(cg::coalesced_threads(), in, out);
}

template <class T>
std::vector<T> expected_results(const std::vector<T>& in, int width, int members) {
  std::vector<T> expected(results * threads);
  for (int t = 0; t < threads; ++t) {
    if (t % width >= members) continue;
    const auto group = in.begin() + t / width * width;
    T sum{}, until{}, largest = *group;
    for (int i = 0; i < members; ++i) sum = static_cast<T>(sum + group[i]);
    for (int i = 0; i <= t % width; ++i) {
      until = static_cast<T>(until + group[i]);
      largest = std::max(largest, group[i]);
    }
    T* mine = &expected[results * t];
    mine[0] = sum;
    mine[1] = *std::min_element(group, group + members);
    mine[2] = *std::max_element(group, group + members);
    mine[3] = until;
    mine[4] = static_cast<T>(until - in[t]);
    mine[5] = largest;
    mine[6] = static_cast<T>(sum + members - 1);
  }
  return expected;
}

template <class T, int size>
void expect_in_tiles(const std::vector<T>& values, const DeviceArray<T>& in) {
  const DeviceArray<T> out(results * threads);
  in_tiles<T, size><<<1, threads>>>(in.data(), out.data());
  expect_equal("in tiles", out, expected_results(values, size, size));
}

template <class T>
void test() {
  const std::vector<T> values = small_values<T>(threads);
  const DeviceArray<T> in(values);
  expect_in_tiles<T, 4>(values, in);
  expect_in_tiles<T, 16>(values, in);
  expect_in_tiles<T, 32>(values, in);
  const DeviceArray<T> out(std::vector<T>(results * threads));
  in_coalesced_groups<<<1, threads>>>(in.data(), out.data());
  expect_equal("in coalesced groups", out, expected_results(values, 32, 11));
}

__global__ void updates(int* sums, int* offsets) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const cuda::atomic_ref<int, cuda::thread_scope_device> sum(sums[0]), next(sums[1]);
  cg::reduce_update_async(warp, sum, static_cast<int>(threadIdx.x), cg::plus<int>());
  offsets[threadIdx.x] =
      cg::exclusive_scan_update(warp, next, static_cast<int>(threadIdx.x % 4), cg::plus<int>());
  cg::invoke_one(warp, [&] { atomicAdd(&sums[2], 1); });
  const int rank =
      cg::invoke_one_broadcast(warp, [&] { return static_cast<int>(warp.meta_group_rank()) + 1; });
  atomicAdd(&sums[3], rank);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) { test<decltype(zero)>(); });
  const DeviceArray<int> sums(std::vector<int>{0, 0, 0, 0}), offsets(threads);
  updates<<<1, threads>>>(sums.data(), offsets.data());
  expect_equal("updated sums", sums, {127 * 64, 6 * 32, 4, 32 * (1 + 2 + 3 + 4)});
  std::vector<int> places = offsets.values();
  int covered = 0;  // together the offsets lay the threads' pieces side by side
  std::vector<char> used(6 * 32);
  for (int t = 0; t < threads; ++t) {
    for (int i = 0; i < t % 4; ++i) covered += used[places[t] + i]++ == 0 ? 1 : 0;
  }
  CHECK(covered == 6 * 32);
  return runtime_test::result();
}
