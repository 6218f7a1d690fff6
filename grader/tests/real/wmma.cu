// nvcuda::wmma: products of whole matrices through shared and global memory, in several types,
// shapes and layouts. The numbers are small integers, so that every order of additions gives the
// same.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <string>
#include <type_traits>
#include <vector>

#include "real_test.h"

using namespace nvcuda;
using namespace real_test;

template <class T>
__host__ __device__ T number(int i) {
  return static_cast<T>(static_cast<float>(i));
}

// What memory holds of an element: tf32 is kept as float.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;

template <class T, class Sum, int m, int n, int k, class LayoutA, class LayoutB>
struct Form {
  using Type = T;
  using Accumulator = Sum;
  using A = LayoutA;
  using B = LayoutB;
  static constexpr int rows = m, columns = n, depth = k;
  // A matrix of 4 x 3 tiles, and 5 of them deep.
  static constexpr int all_rows = 4 * m, all_columns = 3 * n, all_depth = 5 * k;
  static constexpr bool a_is_row_major = std::is_same_v<LayoutA, wmma::row_major>;
  static constexpr bool b_is_row_major = std::is_same_v<LayoutB, wmma::row_major>;
};

// One warp a tile of C. A comes from global memory, B through shared memory.
template <class F>
__global__ void product(const Stored<typename F::Type>* a, const Stored<typename F::Type>* b,
                        typename F::Accumulator* c) {
  using T = Stored<typename F::Type>;
  __shared__ alignas(32) T tile[F::depth * F::columns];
  wmma::fragment<wmma::matrix_a, F::rows, F::columns, F::depth, typename F::Type, typename F::A> x;
  wmma::fragment<wmma::matrix_b, F::rows, F::columns, F::depth, typename F::Type, typename F::B> y;
  wmma::fragment<wmma::accumulator, F::rows, F::columns, F::depth, typename F::Accumulator> sum;
  wmma::fill_fragment(sum, number<typename F::Accumulator>(0));
  const int row = blockIdx.y * F::rows, column = blockIdx.x * F::columns;
  for (int at = 0; at < F::all_depth; at += F::depth) {
    __syncwarp();
    for (int i = threadIdx.x; i < F::depth * F::columns; i += 32) {
      const int depth = F::b_is_row_major ? i / F::columns : i % F::depth;
      const int over = F::b_is_row_major ? i % F::columns : i / F::depth;
      tile[i] = b[(at + depth) * F::all_columns + column + over];
    }
    __syncwarp();
    const T* const from =
        F::a_is_row_major ? &a[row * F::all_depth + at] : &a[at * F::all_rows + row];
    wmma::load_matrix_sync(x, from, F::a_is_row_major ? F::all_depth : F::all_rows);
    wmma::load_matrix_sync(y, tile, F::b_is_row_major ? F::columns : F::depth);
    wmma::mma_sync(sum, x, y, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) {
    sum.x[i] = sum.x[i] + number<typename F::Accumulator>(1);
  }
  wmma::store_matrix_sync(&c[row * F::all_columns + column], sum, F::all_columns,
                          wmma::mem_row_major);
}

int element(int i, int factor) {
  return (i * factor + i / 7) % 5;
}

template <class F>
void expect_product(const std::string& what) {
  using T = Stored<typename F::Type>;
  std::vector<T> a(F::all_rows * F::all_depth), b(F::all_depth * F::all_columns);
  std::vector<int> expected;
  const auto of_a = [](int row, int k) { return element(row * F::all_depth + k, 3); };
  const auto of_b = [](int k, int column) { return element(k * F::all_columns + column, 7); };
  for (int row = 0; row < F::all_rows; ++row) {
    for (int k = 0; k < F::all_depth; ++k) {
      const int place = F::a_is_row_major ? row * F::all_depth + k : k * F::all_rows + row;
      a[place] = number<T>(of_a(row, k));
    }
  }
  for (int k = 0; k < F::all_depth; ++k) {
    for (int column = 0; column < F::all_columns; ++column) {
      b[k * F::all_columns + column] = number<T>(of_b(k, column));
    }
  }
  for (int row = 0; row < F::all_rows; ++row) {
    for (int column = 0; column < F::all_columns; ++column) {
      int sum = 1;
      for (int k = 0; k < F::all_depth; ++k) sum += of_a(row, k) * of_b(k, column);
      expected.push_back(sum);
    }
  }
  const DeviceArray<T> left(a), right(b);
  const DeviceArray<typename F::Accumulator> sums(expected.size());
  product<F><<<dim3(3, 4), 32>>>(left.data(), right.data(), sums.data());
  CHECK_OK(cudaDeviceSynchronize());
  std::vector<int> found;
  for (const auto sum : sums.values()) found.push_back(static_cast<int>(static_cast<float>(sum)));
  expect_equal(what, found, expected);
}

using wmma::col_major, wmma::row_major;

template <class T, class Sum>
void expect_products_of_bytes_or_halves(const std::string& what) {
  expect_product<Form<T, Sum, 16, 16, 16, row_major, col_major>>(what + " m16n16k16 row col");
  expect_product<Form<T, Sum, 16, 16, 16, col_major, row_major>>(what + " m16n16k16 col row");
  expect_product<Form<T, Sum, 32, 8, 16, row_major, row_major>>(what + " m32n8k16 row row");
  expect_product<Form<T, Sum, 8, 32, 16, col_major, col_major>>(what + " m8n32k16 col col");
}

int main() {
  expect_products_of_bytes_or_halves<half, float>("half, float");
  expect_products_of_bytes_or_halves<half, half>("half");
  expect_products_of_bytes_or_halves<__nv_bfloat16, float>("bfloat16");
  expect_products_of_bytes_or_halves<signed char, int>("signed char");
  expect_products_of_bytes_or_halves<unsigned char, int>("unsigned char");
  using Tf32 = wmma::precision::tf32;
  expect_product<Form<Tf32, float, 16, 16, 8, row_major, col_major>>("tf32 row col");
  expect_product<Form<Tf32, float, 16, 16, 8, col_major, row_major>>("tf32 col row");
  expect_product<Form<double, double, 8, 8, 4, row_major, col_major>>("double row col");
  expect_product<Form<double, double, 8, 8, 4, col_major, row_major>>("double col row");
  return runtime_test::result();
}
