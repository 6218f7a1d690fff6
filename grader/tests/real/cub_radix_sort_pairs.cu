// cub::DeviceRadixSort of pairs: a stable sort that carries values along, also with a DoubleBuffer.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>

#include "real_test.h"

using namespace real_test;

template <class Key, class Value>
void sort_pairs(int count) {
  std::vector<Key> keys = small_values<Key>(count, 1, 100);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::vector<Key> sorted_keys;
  std::vector<Value> values, sorted_values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<Value>(3 * i));
  for (const int i : order) {
    sorted_keys.push_back(keys[i]);
    sorted_values.push_back(values[i]);
  }

  const DeviceArray<Key> device_keys(keys), other_keys(count);
  const DeviceArray<Value> device_values(values), other_values(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, device_keys.data(), other_keys.data(),
                                           device_values.data(), other_values.data(), count);
  });
  expect_equal("keys of pairs", other_keys, sorted_keys);
  expect_equal("values of pairs", other_values, sorted_values);

  cub::DoubleBuffer<Key> key_buffers(device_keys.data(), other_keys.data());
  cub::DoubleBuffer<Value> value_buffers(device_values.data(), other_values.data());
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, key_buffers, value_buffers, count);
  });
  expect_equal("keys in two buffers", key_buffers.selector == 0 ? device_keys : other_keys,
               sorted_keys);
  expect_equal("values in two buffers", value_buffers.selector == 0 ? device_values : other_values,
               sorted_values);
}

int main() {
  for (const int count : sizes) {
    sort_pairs<int, short>(count);
    sort_pairs<float, double>(count);
  }
  return runtime_test::result();
}
