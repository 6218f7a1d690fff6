// For the programs of this folder: code of the toolkit (CUB, Thrust, libcu++, cooperative groups)
// at work on the device, compared with what the CPU finds. Each prints "ok" and ends with 0 when
// all agrees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime_test.h"

namespace real_test {

// Empty, one element, less than a warp, odd, several tiles of every algorithm and a part of one.
inline constexpr int sizes[] = {0, 1, 31, 1001, 40'007};

template <class... Types>
struct TypeList {};
using NarrowTypes = TypeList<signed char, unsigned short, int, float>;
using WideTypes = TypeList<unsigned, long long, unsigned long long, double>;
using EightTypes = TypeList<signed char, unsigned short, int, unsigned, long long,
                            unsigned long long, float, double>;

// Calls `test` with a value of each type: for_each_type(EightTypes{}, [](auto zero) { ... });
template <class... Types, class Test>
void for_each_type(TypeList<Types...>, Test test) {
  (test(Types{}), ...);
}

// Small whole numbers: their sums are exact in every type, so the order of additions is free.
template <class T>
std::vector<T> small_values(std::size_t count, unsigned seed = 1, int below = 8) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random() % static_cast<unsigned>(below));
  return values;
}

// The whole range of an integer; positive and negative fractions of all sizes otherwise.
template <class T>
std::vector<T> any_values(std::size_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = random();
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(bits);
    } else {
      const double size = static_cast<double>(std::uint64_t{1} << bits % 40);
      value = static_cast<T>((static_cast<double>(bits >> 40) - 8'000'000) / size);
    }
  }
  return values;
}

// What the algorithms are called with; the values stay in their type, as sums on the device do.
struct Plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Minus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct Maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Less {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};
struct Square {
  template <class T>
  __host__ __device__ T operator()(T x) const {
    return static_cast<T>(x * x);
  }
};
struct IsOdd {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return static_cast<long long>(x) % 2 != 0;
  }
};

// Memory of the device for the length of a test; its bytes are 0xA5 until something is written.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK_OK(cudaMalloc(&data_, count * sizeof(T)));
    if (count > 0) CHECK_OK(cudaMemset(data_, 0xA5, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK_OK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    CHECK_OK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Calls an algorithm of CUB twice, as all of them want it: once for the size of the temporary
// storage, once to do the work.
template <class Algorithm>
void with_storage(Algorithm algorithm) {
  std::size_t bytes = 0;
  CHECK_OK(algorithm(nullptr, bytes));
  const DeviceArray<char> storage(bytes);
  CHECK_OK(algorithm(static_cast<void*>(storage.data()), bytes));
  CHECK_OK(cudaDeviceSynchronize());
}

// Compares the first elements of `got` with all of `expected`, and prints the first mismatch.
template <class T>
void expect_equal(const std::string& what, const std::vector<T>& got,
                  const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i < got.size() && got[i] == expected[i]) continue;
    ++runtime_test::failures;
    std::cout << what << " of " << sizeof(T) << " bytes: element " << i << " of "
              << expected.size();
    if constexpr (std::is_arithmetic_v<T>) {
      if (i < got.size()) std::cout << " is " << +got[i] << ", expected " << +expected[i];
    }
    std::cout << "\n";
    return;
  }
}
template <class T>
void expect_equal(const std::string& what, const DeviceArray<T>& got,
                  const std::vector<T>& expected) {
  expect_equal(what, got.values(), expected);
}
template <class T>
void expect_equal(const std::string& what, const DeviceArray<T>& got, T expected) {
  expect_equal(what, got.values(), std::vector<T>{expected});
}

}  // namespace real_test
