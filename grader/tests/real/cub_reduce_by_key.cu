// cub::DeviceReduce::ReduceByKey: one sum for each run of equal keys.
#include <cub/device/device_reduce.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void sums_by_key(int count) {
  const std::vector<T> values = small_values<T>(count, 1);
  std::vector<int> keys = small_values<int>(count, 2, 3);
  for (int i = 1000; i < count && i < 9000; ++i) keys[i] = 7;  // a run longer than a tile
  std::vector<int> run_keys;
  std::vector<T> sums;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      run_keys.push_back(keys[i]);
      sums.push_back(T{});
    }
    sums.back() = static_cast<T>(sums.back() + values[i]);
  }

  const DeviceArray<int> device_keys(keys), device_run_keys(count), run_count(1);
  const DeviceArray<T> device_values(values), device_sums(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(
        storage, bytes, device_keys.data(), device_run_keys.data(), device_values.data(),
        device_sums.data(), run_count.data(), cuda::std::plus<>{}, count);
  });
  expect_equal("number of runs", run_count, static_cast<int>(sums.size()));
  expect_equal("keys of runs", device_run_keys, run_keys);
  expect_equal("sums of runs", device_sums, sums);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) sums_by_key<decltype(zero)>(count);
  });
  return runtime_test::result();
}
