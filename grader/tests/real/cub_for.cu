// cub::DeviceFor: for each index, for each element, and for each copy of one.
#include <cub/device/device_for.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
struct StoreSquare {
  T* out;
  __device__ void operator()(int i) const { out[i] = static_cast<T>(i * i); }
};
struct Increment {
  template <class T>
  __device__ void operator()(T& x) const {
    ++x;
  }
};
struct CountOdd {
  int* odd;
  template <class T>
  __device__ void operator()(T x) const {
    if (static_cast<int>(x) % 2 != 0) atomicAdd(odd, 1);
  }
};

template <class T>
void for_each(int count) {
  const DeviceArray<T> array(count);
  CHECK_OK(cub::DeviceFor::Bulk(count, StoreSquare<T>{array.data()}));
  std::vector<T> expected(count);
  for (int i = 0; i < count; ++i) expected[i] = static_cast<T>(static_cast<unsigned>(i) * i);
  expect_equal("squares", array, expected);

  CHECK_OK(cub::DeviceFor::ForEachN(array.data(), count, Increment{}));
  int odd = 0;
  for (T& value : expected) odd += static_cast<int>(++value) % 2 != 0 ? 1 : 0;
  expect_equal("incremented", array, expected);

  const DeviceArray<int> counted(std::vector<int>{0});
  CHECK_OK(cub::DeviceFor::ForEachCopyN(array.data(), count, CountOdd{counted.data()}));
  expect_equal("number of odd elements", counted, odd);
}

int main() {
  for_each_type(
      TypeList<signed char, unsigned short, int, unsigned, long long, unsigned long long>{},
      [](auto zero) {
        for (const int count : sizes) for_each<decltype(zero)>(count);
      });
  return runtime_test::result();
}
