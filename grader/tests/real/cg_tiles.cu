// cooperative_groups: tiled_partition of all sizes, tiles larger than a warp, coalesced groups,
// labeled and binary partitions, and what threads of a group exchange.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

constexpr int threads = 256;

template <int size>
__global__ void with_tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const int value = in[block.thread_rank()];
  int result = tile.shfl_xor(value, size / 2);
  result = 31 * result + tile.shfl_down(value, 1);
  result = 31 * result + tile.shfl_up(value, 1);
  result = 31 * result + tile.shfl(value, size - 1);
  result = 31 * result + tile.any(value == 3) + 2 * tile.all(value < 7);
  result = 31 * result + static_cast<int>(tile.ballot(value % 2 == 1));
  result = 31 * result + static_cast<int>(tile.match_any(value));
  result = 31 * result + static_cast<int>(tile.meta_group_rank() + 7 * tile.meta_group_size());
  tile.sync();
  out[block.thread_rank()] = result;
}

template <int size>
void expect_with_tiles(const std::vector<int>& in, const DeviceArray<int>& device_in) {
  const DeviceArray<int> out(threads);
  with_tiles<size><<<1, threads>>>(device_in.data(), out.data());
  std::vector<int> expected(threads);
  for (int t = 0; t < threads; ++t) {
    const int* tile = &in[t / size * size];
    const int rank = t % size;
    unsigned ballot = 0, match = 0;
    bool any = false, all = true;
    for (int i = 0; i < size; ++i) {
      ballot |= (tile[i] % 2 == 1 ? 1u : 0u) << i;
      match |= (tile[i] == tile[rank] ? 1u : 0u) << i;
      any = any || tile[i] == 3;
      all = all && tile[i] < 7;
    }
    unsigned result = tile[rank ^ size / 2];
    result = 31 * result + tile[rank + 1 < size ? rank + 1 : rank];
    result = 31 * result + tile[rank > 0 ? rank - 1 : rank];
    result = 31 * result + tile[size - 1];
    result = 31 * result + any + 2 * all;
    result = 31 * result + ballot;
    result = 31 * result + match;
    result = 31 * result + t / size + 7 * (threads / size);
    expected[t] = static_cast<int>(result);
  }
  expect_equal("tiles", out, expected);
}

// Tiles of several warps meet through shared memory.
__global__ void with_large_tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<threads> storage;
  const auto block = cg::this_thread_block(storage);
  const auto tile = cg::tiled_partition<128>(block);
  const int value = in[block.thread_rank()];
  int result = cg::reduce(tile, value, cg::plus<int>());
  result = 31 * result + cg::exclusive_scan(tile, value);
  result = 31 * result + tile.any(value == 5);
  result = 31 * result + tile.shfl(value, 100);
  out[block.thread_rank()] = result;
}

__global__ void with_partitions(const int* in, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = in[threadIdx.x];
  const auto same = cg::labeled_partition(warp, value % 3);
  int result = static_cast<int>(same.size() + 100 * same.thread_rank());
  result = 31 * result + cg::reduce(same, value, cg::plus<int>());
  const auto half = cg::binary_partition(warp, value % 2 == 0);
  result = 31 * result + static_cast<int>(half.size() + 100 * half.thread_rank());
  result = 31 * result + cg::inclusive_scan(half, value, cg::plus<int>());
  out[threadIdx.x] = result;
}

// One atomic for all lanes that take the branch: the group is what happens to be together.
__global__ void aggregated_atomics(const int* in, int* counter, int* kept) {
  const int value = in[threadIdx.x];
  if (value % 3 == 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(active.size()));
    base = active.shfl(base, 0);
    kept[base + static_cast<int>(active.thread_rank())] = value;
    const auto pairs = cg::tiled_partition(active, 2);
    if (pairs.size() > 2) atomicAdd(counter + 1, 1);
  }
}

int main() {
  const std::vector<int> in = small_values<int>(threads);
  const DeviceArray<int> device_in(in), out(threads);
  expect_with_tiles<2>(in, device_in);
  expect_with_tiles<4>(in, device_in);
  expect_with_tiles<8>(in, device_in);
  expect_with_tiles<16>(in, device_in);
  expect_with_tiles<32>(in, device_in);

  std::vector<int> expected(threads);
  with_large_tiles<<<1, threads>>>(device_in.data(), out.data());
  for (int t = 0; t < threads; ++t) {
    const int first = t / 128 * 128;
    int sum = 0, before = 0, any = 0;
    for (int i = first; i < first + 128; ++i) {
      sum += in[i];
      before += i < t ? in[i] : 0;
      any |= in[i] == 5 ? 1 : 0;
    }
    expected[t] = ((sum * 31 + before) * 31 + any) * 31 + in[first + 100];
  }
  expect_equal("tiles of 128", out, expected);

  with_partitions<<<1, threads>>>(device_in.data(), out.data());
  for (int t = 0; t < threads; ++t) {
    int size = 0, rank = 0, sum = 0, half_size = 0, half_rank = 0, half_sum = in[t];
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      if (in[i] % 3 == in[t] % 3) {
        ++size;
        sum += in[i];
        if (i < t) ++rank;
      }
      if (in[i] % 2 == in[t] % 2) {
        ++half_size;
        if (i < t) ++half_rank, half_sum += in[i];
      }
    }
    expected[t] =
        (((size + 100 * rank) * 31 + sum) * 31 + half_size + 100 * half_rank) * 31 + half_sum;
  }
  expect_equal("partitions by label", out, expected);

  const DeviceArray<int> counters(std::vector<int>{0, 0});
  aggregated_atomics<<<1, threads>>>(device_in.data(), counters.data(), out.data());
  int kept = 0;
  long long sum = 0, got = 0;
  for (const int value : in) {
    kept += value % 3 == 1 ? 1 : 0;
    sum += value % 3 == 1 ? value : 0;
  }
  expect_equal("number kept", counters, {kept, 0});
  const std::vector<int> values = out.values();
  for (int i = 0; i < kept; ++i) got += values[i];
  CHECK(got == sum);
  return runtime_test::result();
}
