// cub::DeviceSelect: by flags, by a condition, and the first of equal neighbors.
#include <algorithm>
#include <cub/device/device_select.cuh>

#include "real_test.h"

using namespace real_test;

struct IsSmall {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return x < T{40};
  }
};

template <class T>
void expect_selected(const char* what, const DeviceArray<T>& out, const DeviceArray<int>& selected,
                     const std::vector<T>& expected) {
  expect_equal(std::string("number ") + what, selected, static_cast<int>(expected.size()));
  expect_equal(what, out, expected);
}

template <class T>
void select(int count) {
  const std::vector<T> values = small_values<T>(count, 1, 100);
  const std::vector<char> flags = small_values<char>(count, 2, 2);
  const DeviceArray<T> in(values), out(count);
  const DeviceArray<char> device_flags(flags);
  const DeviceArray<int> selected(1);

  std::vector<T> expected;
  for (int i = 0; i < count; ++i) {
    if (flags[i]) expected.push_back(values[i]);
  }
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(storage, bytes, in.data(), device_flags.data(), out.data(),
                                      selected.data(), count);
  });
  expect_selected("flagged", out, selected, expected);

  expected.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsSmall{});
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, in.data(), out.data(), selected.data(), count,
                                 IsSmall{});
  });
  expect_selected("selected by a condition", out, selected, expected);
}

template <class T>
void unique(int count) {
  const std::vector<T> values = small_values<T>(count, 3, 3);
  const DeviceArray<T> in(values), out(count);
  const DeviceArray<int> selected(1);
  std::vector<T> expected;
  std::unique_copy(values.begin(), values.end(), std::back_inserter(expected));
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, in.data(), out.data(), selected.data(), count);
  });
  expect_selected("unique", out, selected, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      select<decltype(zero)>(count);
      unique<decltype(zero)>(count);
    }
  });
  return runtime_test::result();
}
