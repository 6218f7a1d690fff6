// libcu++: what cuda::std has for device code, computed on both sides and compared.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

#include "real_test.h"

using namespace real_test;
namespace std_ = cuda::std;

constexpr int count = 200;

struct Area {
  __host__ __device__ long long operator()(int side) const { return 1LL * side * side; }
  __host__ __device__ long long operator()(std_::array<int, 2> sides) const {
    return 1LL * sides[0] * sides[1];
  }
};

__host__ __device__ std_::optional<int> root_of(int x) {
  for (int r = 0; r * r <= x; ++r) {
    if (r * r == x) return r;
  }
  return std_::nullopt;
}
__host__ __device__ std_::expected<int, char> divide(int a, int b) {
  if (b == 0) return std_::unexpected('z');
  return a / b;
}

__host__ __device__ long long containers(int x) {
  std_::array<int, 9> values{};
  for (int i = 0; i < 9; ++i) values[i] = (x * 7919 + i * 104'729) % 101;
  const std_::span<int> middle(values.data() + 2, 5);
  long long sum = std_::accumulate(middle.begin(), middle.end(), 0LL);
  sum = sum * 31 + std_::inner_product(middle.begin(), middle.end(), values.begin(), 0LL);
  const std_::mdspan<int, std_::extents<int, 3, 3>> matrix(values.data());
  for (int i = 0; i < 3; ++i) sum = sum * 3 + matrix(i, 2 - i);
  const auto [low, high] = std_::make_tuple(x % 7, x % 11);
  std_::bitset<40> bits(static_cast<unsigned long long>(x) * 2'654'435'761u);
  bits.flip(static_cast<std::size_t>(x % 40));
  return sum * 31 + low * 100 + high + static_cast<long long>(bits.count());
}

__host__ __device__ long long vocabulary(int x) {
  long long sum = root_of(x).value_or(-1);
  const auto quotient = divide(1000, x % 5);
  sum = sum * 31 + (quotient ? *quotient : quotient.error());
  std_::variant<int, std_::array<int, 2>> shape = x;
  if (x % 3 == 0) shape = std_::array<int, 2>{x, 5};
  sum = sum * 31 + std_::visit(Area{}, shape);
  const auto word = static_cast<unsigned>(x) * 2'654'435'761u;
  sum = sum * 31 + std_::popcount(word) + std_::countl_zero(word) + std_::countr_zero(word);
  sum = sum * 31 + std_::rotl(word, x % 32) % 1000 + std_::bit_ceil(word >> 8) % 1000;
  sum = sum * 31 + std_::gcd(x, 360) + std_::lcm(x + 1, 12);
  const auto time = std_::chrono::duration_cast<std_::chrono::minutes>(
      std_::chrono::milliseconds(x * 1'000'003LL));
  return sum * 31 + time.count() + std_::numeric_limits<short>::max();
}

// Sums and products of whole numbers are exact, so both sides agree to the bit.
__host__ __device__ double numbers(int x) {
  std_::complex<double> z(x % 5 - 2, x % 3);
  for (int i = 0; i < 6; ++i) z = z * std_::complex<double>(1, x % 2) + 1.0;
  return z.real() + 1e6 * z.imag() + std_::norm(z);
}

__global__ void evaluate(long long* integers, double* doubles) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= count) return;
  integers[2 * x] = containers(x);
  integers[2 * x + 1] = vocabulary(x);
  doubles[x] = numbers(x);
}

int main() {
  const DeviceArray<long long> integers(2 * count);
  const DeviceArray<double> doubles(count);
  evaluate<<<(count + 63) / 64, 64>>>(integers.data(), doubles.data());
  std::vector<long long> expected_integers;
  std::vector<double> expected_doubles;
  for (int x = 0; x < count; ++x) {
    expected_integers.push_back(containers(x));
    expected_integers.push_back(vocabulary(x));
    expected_doubles.push_back(numbers(x));
  }
  expect_equal("integers", integers, expected_integers);
  expect_equal("doubles", doubles, expected_doubles);
  return runtime_test::result();
}
