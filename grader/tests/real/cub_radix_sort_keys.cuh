// cub::DeviceRadixSort of keys alone: up and down, and by some of the bits. The types are split
// over programs since each takes long to compile.
#pragma once

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "real_test.h"

namespace real_test {

template <class T>
void sort_keys(int count) {
  std::vector<T> keys = any_values<T>(count);
  const DeviceArray<T> in(keys), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.data(), count);
  });
  std::sort(keys.begin(), keys.end());
  expect_equal("sorted keys", out, keys);

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in.data(), out.data(), count);
  });
  std::reverse(keys.begin(), keys.end());
  expect_equal("keys sorted down", out, keys);
}

template <class T>
void sort_by_bits(int count, int first, int last) {
  std::vector<T> keys = any_values<T>(count);
  const DeviceArray<T> in(keys), out(count);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.data(), count, first,
                                          last);
  });
  const auto digit = [=](T key) {
    return static_cast<std::uint64_t>(key) >> first & ((std::uint64_t{1} << (last - first)) - 1);
  };
  std::stable_sort(keys.begin(), keys.end(), [&](T a, T b) { return digit(a) < digit(b); });
  expect_equal("keys sorted by some bits", out, keys);
}

template <class... Types>
void sort_keys_of(TypeList<Types...> types) {
  for_each_type(types, [](auto zero) {
    using T = decltype(zero);
    for (const int count : sizes) {
      sort_keys<T>(count);
      if constexpr (std::is_unsigned_v<T>) sort_by_bits<T>(count, 3, 8 * sizeof(T) - 2);
    }
  });
}

}  // namespace real_test
