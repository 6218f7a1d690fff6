// The collectives of a CTA in CUB: load, store, scan, reduce, radix sort, exchange, discontinuity.
#include <algorithm>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

constexpr int threads = 128;  // of BlockMergeSort a power of two
constexpr int items = 5;
constexpr int tile = threads * items;

template <class T, cub::BlockLoadAlgorithm load_by, cub::BlockStoreAlgorithm store_by>
__global__ void load_and_store(const T* in, T* out, int valid) {
  using Load = cub::BlockLoad<T, threads, items, load_by>;
  using Store = cub::BlockStore<T, threads, items, store_by>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  T values[items];
  Load(storage.load).Load(in, values, valid, T{1});
  for (T& value : values) value = static_cast<T>(value + 1);
  __syncthreads();
  Store(storage.store).Store(out, values, valid);
}

template <class T, cub::BlockLoadAlgorithm load_by, cub::BlockStoreAlgorithm store_by>
void expect_loaded_and_stored(const char* what) {
  for (const int valid : {0, 1, 101, tile}) {
    std::vector<T> values = small_values<T>(tile);
    const DeviceArray<T> in(values), out(tile);
    load_and_store<T, load_by, store_by><<<1, threads>>>(in.data(), out.data(), valid);
    values.resize(valid);
    for (T& value : values) value = static_cast<T>(value + 1);
    expect_equal(what, out, values);
  }
}

template <class T, cub::BlockScanAlgorithm algorithm>
__global__ void scan(const T* in, T* out, T* total) {
  using Scan = cub::BlockScan<T, threads, algorithm>;
  __shared__ typename Scan::TempStorage storage;
  T values[items];
  cub::LoadDirectBlocked(threadIdx.x, in, values);
  T sum;
  Scan(storage).ExclusiveSum(values, values, sum);
  cub::StoreDirectBlocked(threadIdx.x, out, values);
  if (threadIdx.x == 0) *total = sum;
}

template <class T, cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(const T* in, T* total, int valid) {
  using Reduce = cub::BlockReduce<T, threads, algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const T sum = Reduce(storage).Sum(in[threadIdx.x], valid);
  if (threadIdx.x == 0) *total = sum;
}

template <class T>
__global__ void sort(T* by_radix, T* by_merge) {
  using Radix = cub::BlockRadixSort<T, threads, items>;
  using Merge = cub::BlockMergeSort<T, threads, items>;
  __shared__ union {
    typename Radix::TempStorage radix;
    typename Merge::TempStorage merge;
  } storage;
  T values[items];
  cub::LoadDirectBlocked(threadIdx.x, by_radix, values);
  Radix(storage.radix).SortBlockedToStriped(values);
  cub::StoreDirectStriped<threads>(threadIdx.x, by_radix, values);
  __syncthreads();
  cub::LoadDirectBlocked(threadIdx.x, by_merge, values);
  Merge(storage.merge).Sort(values, [](T a, T b) { return b < a; });
  cub::StoreDirectBlocked(threadIdx.x, by_merge, values);
}

template <class T>
__global__ void neighbors(const T* in, int* heads, T* differences, T* shifted) {
  using Discontinuity = cub::BlockDiscontinuity<T, threads>;
  using Difference = cub::BlockAdjacentDifference<T, threads>;
  using Shuffle = cub::BlockShuffle<T, threads>;
  using Exchange = cub::BlockExchange<T, threads, items>;
  __shared__ union {
    typename Discontinuity::TempStorage discontinuity;
    typename Difference::TempStorage difference;
    typename Shuffle::TempStorage shuffle;
    typename Exchange::TempStorage exchange;
  } storage;
  T striped[items], values[items], results[items];
  cub::LoadDirectStriped<threads>(threadIdx.x, in, striped);
  Exchange(storage.exchange).StripedToBlocked(striped, values);
  __syncthreads();
  int flags[items];
  Discontinuity(storage.discontinuity).FlagHeads(flags, values, cuda::std::not_equal_to<>{});
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  __syncthreads();
  Difference(storage.difference).SubtractLeft(values, results, cuda::std::minus<>{});
  cub::StoreDirectBlocked(threadIdx.x, differences, results);
  __syncthreads();
  results[0] = values[0];
  Shuffle(storage.shuffle).Up(values, results);
  cub::StoreDirectBlocked(threadIdx.x, shifted, results);
}

template <class T>
void test() {
  expect_loaded_and_stored<T, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_VECTORIZE>("direct");
  expect_loaded_and_stored<T, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(
      "transposed");
  expect_loaded_and_stored<T, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(
      "transposed by warps");
  expect_loaded_and_stored<T, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");

  const std::vector<T> values = small_values<T>(tile, 1, 4);
  const DeviceArray<T> in(values), out(tile), total(1);
  std::vector<T> expected(tile);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{});
  const T sum = static_cast<T>(std::accumulate(values.begin(), values.end(), T{}));
  scan<T, cub::BLOCK_SCAN_RAKING><<<1, threads>>>(in.data(), out.data(), total.data());
  expect_equal("raking scan", out, expected);
  expect_equal("total of the raking scan", total, sum);
  scan<T, cub::BLOCK_SCAN_WARP_SCANS><<<1, threads>>>(in.data(), out.data(), total.data());
  expect_equal("scan by warps", out, expected);
  for (const int valid : {1, 40, threads}) {
    const T part = static_cast<T>(std::accumulate(values.begin(), values.begin() + valid, T{}));
    reduce<T, cub::BLOCK_REDUCE_RAKING><<<1, threads>>>(in.data(), total.data(), valid);
    expect_equal("raking reduction", total, part);
    reduce<T, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, threads>>>(in.data(), total.data(), valid);
    expect_equal("reduction by warps", total, part);
  }

  std::vector<T> keys = any_values<T>(tile);
  const DeviceArray<T> by_radix(keys), by_merge(keys);
  sort<<<1, threads>>>(by_radix.data(), by_merge.data());
  std::sort(keys.begin(), keys.end());
  expect_equal("sorted by radix", by_radix, keys);
  std::reverse(keys.begin(), keys.end());
  expect_equal("sorted down by merging", by_merge, keys);

  std::vector<int> heads(tile, 1);
  std::vector<T> differences = values, shifted = values;
  for (int i = 1; i < tile; ++i) {
    heads[i] = values[i] != values[i - 1];
    differences[i] = static_cast<T>(values[i] - values[i - 1]);
    shifted[i] = values[i - 1];
  }
  const DeviceArray<int> device_heads(tile);
  const DeviceArray<T> device_differences(tile), device_shifted(tile);
  neighbors<<<1, threads>>>(in.data(), device_heads.data(), device_differences.data(),
                            device_shifted.data());
  expect_equal("heads", device_heads, heads);
  expect_equal("differences", device_differences, differences);
  expect_equal("shifted", device_shifted, shifted);
}

int main() {
  for_each_type(TypeList<signed char, int, double>{}, [](auto zero) { test<decltype(zero)>(); });
  CHECK_OK(cudaDeviceSynchronize());
  return runtime_test::result();
}
