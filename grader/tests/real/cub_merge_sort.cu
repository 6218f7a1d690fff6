// cub::DeviceMergeSort: keys, pairs by a comparison of one's own, and stability.
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

template <class T>
void sort_keys(int count) {
  std::vector<T> keys = any_values<T>(count);
  const DeviceArray<T> in(keys);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, in.data(), count, Less{});
  });
  std::sort(keys.begin(), keys.end());
  expect_equal("sorted keys", in, keys);
}

struct LastDigit {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a % 10 < b % 10; }
};

void sort_pairs_stably(int count) {
  std::vector<unsigned> keys = any_values<unsigned>(count);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  const DeviceArray<unsigned> device_keys(keys);
  const DeviceArray<int> values(order);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortPairs(storage, bytes, device_keys.data(), values.data(),
                                                 count, LastDigit{});
  });
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return LastDigit{}(keys[a], keys[b]); });
  std::stable_sort(keys.begin(), keys.end(), LastDigit{});
  expect_equal("keys of pairs", device_keys, keys);
  expect_equal("values of pairs", values, order);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) sort_keys<decltype(zero)>(count);
  });
  for (const int count : sizes) sort_pairs_stably(count);
  return runtime_test::result();
}
