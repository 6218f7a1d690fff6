// For the programs of this folder: kernels of CUTLASS's and CuTe's at work. A program holds some
// cases, each a test of its own: without an argument it prints their names, and with a name it runs
// that case, prints a digest of the result's bits, compares the result with a plain sum on the CPU,
// and ends with "ok". The digest is compared with what an H100 gave by
// grader/tests/real/cutlass/cutlass_cases.py.
#pragma once

#include <cutlass/numeric_types.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime_test.h"

namespace cutlass_test {

// Memory of the device for the length of a case; its bytes are 0xA5 until something is written.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK_OK(cudaMalloc(&data_, bytes()));
    if (count > 0) CHECK_OK(cudaMemset(data_, 0xA5, bytes()));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK_OK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    CHECK_OK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// The same numbers on every machine: both signs, all bits of the significand, and eight binary
// orders of magnitude, so that the order in which a sum is made shows in its last bits.
inline float number(std::size_t i, unsigned seed) {
  std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  bits ^= bits >> 31;
  const float significand = 1 + static_cast<float>(bits >> 41) / (1 << 23);
  return std::ldexp(bits & 1 ? -significand : significand, static_cast<int>(bits >> 1 & 7) - 5);
}

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      values.push_back(static_cast<T>(static_cast<int>(number(i, seed) * 31)));
    } else {
      values.push_back(static_cast<T>(number(i, seed)));
    }
  }
  return values;
}

// FNV-1a of 64 bits over all bytes.
template <class T>
void print_digest(const std::vector<T>& values) {
  std::uint64_t digest = 0xCBF29CE484222325u;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) {
    digest = (digest ^ bytes[i]) * 0x100000001B3u;
  }
  std::printf("digest %016llx\n", static_cast<unsigned long long>(digest));
}

// What the CPU finds, and how far from it a right result may lie.
struct Expected {
  double value, tolerance;
};

// Reports the first element that is too far away.
template <class T>
void expect_near(const std::vector<T>& got, const std::vector<Expected>& expected) {
  CHECK(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i) {
    const double value = static_cast<double>(got[i]);
    if (std::abs(value - expected[i].value) <= expected[i].tolerance) continue;
    ++runtime_test::failures;
    std::printf("element %zu is %g, expected %g within %g\n", i, value, expected[i].value,
                expected[i].tolerance);
    return;
  }
}

struct Case {
  std::string name;
  void (*run)();
};

// For main: what stands at the top of this file.
inline int run(int argc, char** argv, const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    if (argc < 2) {
      std::puts(each.name.c_str());
    } else if (each.name == argv[1]) {
      each.run();
      return runtime_test::result();
    }
  }
  return argc < 2 ? 0 : 2;
}

}  // namespace cutlass_test
