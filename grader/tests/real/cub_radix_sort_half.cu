// cub::DeviceRadixSort of 16-bit floating-point keys.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void sort_keys(int count) {
  std::vector<T> keys;
  for (const float value : any_values<float>(count)) keys.push_back(static_cast<T>(value / 256));
  const DeviceArray<T> in(keys), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.data(), count);
  });
  const auto less = [](T a, T b) { return static_cast<float>(a) < static_cast<float>(b); };
  std::sort(keys.begin(), keys.end(), less);
  std::vector<float> got, expected;
  for (const T key : out.values()) got.push_back(static_cast<float>(key));
  for (const T key : keys) expected.push_back(static_cast<float>(key));
  expect_equal("sorted keys", got, expected);
}

int main() {
  for (const int count : sizes) {
    sort_keys<__half>(count);
    sort_keys<__nv_bfloat16>(count);
  }
  return runtime_test::result();
}
