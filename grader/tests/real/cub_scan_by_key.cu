// cub::DeviceScan by key: the scan starts anew at each new key.
#include <cub/device/device_scan.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void scans_by_key(int count) {
  const std::vector<T> values = small_values<T>(count, 1);
  std::vector<short> keys = small_values<short>(count, 2, 3);
  for (int i = 1000; i < count && i < 9000; ++i) keys[i] = 7;  // a run longer than a tile
  std::vector<T> inclusive(count), exclusive(count);
  for (int i = 0; i < count; ++i) {
    exclusive[i] = i == 0 || keys[i] != keys[i - 1] ? T{} : inclusive[i - 1];
    inclusive[i] = static_cast<T>(exclusive[i] + values[i]);
  }

  const DeviceArray<short> device_keys(keys);
  const DeviceArray<T> in(values), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSumByKey(storage, bytes, device_keys.data(), in.data(),
                                              out.data(), count);
  });
  expect_equal("inclusive sums by key", out, inclusive);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSumByKey(storage, bytes, device_keys.data(), in.data(),
                                              out.data(), count);
  });
  expect_equal("exclusive sums by key", out, exclusive);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) scans_by_key<decltype(zero)>(count);
  });
  return runtime_test::result();
}
