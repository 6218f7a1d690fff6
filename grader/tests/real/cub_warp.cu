// The collectives of a warp in CUB: reduce, scan, merge sort, exchange, load and store, for whole
// warps and for parts of them.
#include <algorithm>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

constexpr int threads = 64;
constexpr int items = 4;

template <class T, int width>
__global__ void reduce_and_scan(const T* in, T* sums, T* scanned, T* maxima) {
  using Reduce = cub::WarpReduce<T, width>;
  using Scan = cub::WarpScan<T, width>;
  constexpr int groups = threads / width;
  __shared__ typename Reduce::TempStorage reduce_storage[groups];
  __shared__ typename Scan::TempStorage scan_storage[groups];
  const int group = static_cast<int>(threadIdx.x) / width;
  const T value = in[threadIdx.x];
  const T sum = Reduce(reduce_storage[group]).Sum(value);
  const T maximum = Reduce(reduce_storage[group])
                        .Reduce(
                            value, [](T a, T b) { return a < b ? b : a; }, width - 1);
  T before;
  Scan(scan_storage[group]).ExclusiveSum(value, before);
  scanned[threadIdx.x] = before;
  if (threadIdx.x % width == 0) {
    sums[group] = sum;
    maxima[group] = maximum;
  }
}

template <class T, int width>
void expect_reduced_and_scanned() {
  constexpr int groups = threads / width;
  const std::vector<T> values = small_values<T>(threads);
  const DeviceArray<T> in(values), sums(groups), scanned(threads), maxima(groups);
  reduce_and_scan<T, width><<<1, threads>>>(in.data(), sums.data(), scanned.data(), maxima.data());
  std::vector<T> expected_sums, expected_maxima, expected_scan(threads);
  for (int group = 0; group < groups; ++group) {
    const auto begin = values.begin() + group * width, end = begin + width;
    expected_sums.push_back(static_cast<T>(std::accumulate(begin, end, T{})));
    expected_maxima.push_back(*std::max_element(begin, end - 1));
    std::exclusive_scan(begin, end, expected_scan.begin() + group * width, T{});
  }
  expect_equal("sums", sums, expected_sums);
  expect_equal("maxima of all but the last", maxima, expected_maxima);
  expect_equal("scan", scanned, expected_scan);
}

template <class T, int width>
__global__ void sort_through_exchange(const T* in, T* out) {
  using Load = cub::WarpLoad<T, items, cub::WARP_LOAD_TRANSPOSE, width>;
  using Sort = cub::WarpMergeSort<T, items, width>;
  using Exchange = cub::WarpExchange<T, items, width>;
  using Store = cub::WarpStore<T, items, cub::WARP_STORE_STRIPED, width>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
    typename Store::TempStorage store;
  } storage[threads / width];
  const int group = static_cast<int>(threadIdx.x) / width;
  auto& mine = storage[group];
  T values[items];
  Load(mine.load).Load(in + group * width * items, values);
  __syncwarp();
  Sort(mine.sort).Sort(values, [](T a, T b) { return a < b; });
  __syncwarp();
  Exchange(mine.exchange).BlockedToStriped(values, values);
  __syncwarp();
  Store(mine.store).Store(out + group * width * items, values);
}

template <class T, int width>
void expect_sorted() {
  std::vector<T> values = any_values<T>(threads * items);
  const DeviceArray<T> in(values), out(values.size());
  sort_through_exchange<T, width><<<1, threads>>>(in.data(), out.data());
  for (auto begin = values.begin(); begin != values.end(); begin += width * items) {
    std::sort(begin, begin + width * items);
  }
  expect_equal("sorted by each warp", out, values);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    using T = decltype(zero);
    expect_reduced_and_scanned<T, 32>();
    expect_reduced_and_scanned<T, 8>();
    expect_sorted<T, 32>();
    expect_sorted<T, 4>();
  });
  CHECK_OK(cudaDeviceSynchronize());
  return runtime_test::result();
}
