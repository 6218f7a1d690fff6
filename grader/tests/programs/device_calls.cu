// Calls on the device: values of all sizes, recursion, virtual functions, function pointers,
// alloca, and lanes of one warp that are in different functions.
#include <vector>

#include "runtime_test.h"

struct Wide {
  int values[9];
};
struct Mixed {
  char c;
  double d;
  short s;
};

__host__ __device__ __noinline__ Wide make_wide(int x, char offset) {
  Wide wide;
  for (int i = 0; i < 9; ++i) wide.values[i] = x * i + offset;
  return wide;
}
__host__ __device__ __noinline__ Mixed change(Mixed value, bool negate) {
  value.d = negate ? -value.d : value.d + value.s;
  value.c = static_cast<char>(value.c + 1);
  return value;
}
__host__ __device__ __noinline__ long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__host__ __device__ __noinline__ bool is_odd(unsigned n);
__host__ __device__ __noinline__ bool is_even(unsigned n) {
  return n == 0 || is_odd(n - 1);
}
__host__ __device__ __noinline__ bool is_odd(unsigned n) {
  return n != 0 && is_even(n - 1);
}

// The caller's variable is changed through its address.
__host__ __device__ __noinline__ void push(int* stack, int& top, int value) {
  stack[top++] = value;
}
__host__ __device__ __noinline__ int walk(int depth, int* path, int& length) {
  int here[4] = {depth, depth * 2, depth * 3, depth * 4};
  push(path, length, here[depth & 3]);
  return depth == 0 ? 1 : here[(depth + 1) & 3] + walk(depth - 1, path, length);
}

struct Shape {
  int size;
  __host__ __device__ explicit Shape(int s) : size(s) {}
  __host__ __device__ virtual int area() const = 0;
};
struct Square : Shape {
  using Shape::Shape;
  __host__ __device__ int area() const override { return size * size; }
};
struct Strip : Shape {
  using Shape::Shape;
  __host__ __device__ int area() const override { return 3 * size; }
};
__host__ __device__ __noinline__ int area_of(const Shape& shape) {
  return shape.area();
}

using Unary = int (*)(int);
__host__ __device__ int add_three(int x) {
  return x + 3;
}
__host__ __device__ int times_three(int x) {
  return x * 3;
}
__host__ __device__ int negative(int x) {
  return -x;
}
__device__ Unary device_table[] = {add_three, times_three, negative};
static Unary host_table[] = {add_three, times_three, negative};

__host__ __device__ __noinline__ int sum_of_squares(int n) {
  int* squares = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += squares[n - 1 - i];
  return sum;
}

__host__ __device__ long long everything(int t, Unary unary) {
  long long sum = 0;
  const Wide wide = make_wide(t, 'a');
  for (const int value : wide.values) sum = sum * 3 + value;
  const Mixed mixed = change({'x', 2.5, static_cast<short>(t)}, t % 3 == 0);
  sum += static_cast<long long>(mixed.d * 2) + mixed.c + mixed.s;
  sum += fibonacci(t % 11) + (is_even(t) ? 1000 : 2000);
  int path[16];
  int length = 0;
  sum += walk(t % 7, path, length);
  for (int i = 0; i < length; ++i) sum = sum * 5 + path[i];
  const Square square(t);
  const Strip strip(t);
  sum += (t & 1) != 0 ? area_of(square) : area_of(strip);
  return sum * 7 + unary(t) + sum_of_squares(t % 5 * 2);
}

__global__ void run_everything(long long* out) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[t] = everything(t, device_table[t % 3]);
}

// All lanes meet in a function that they call from different places.
__device__ __noinline__ int total(int value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  return value;
}
__global__ void meet_in_function(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = t < 7 ? total(t) + 1 : total(t) + 2;
}

__device__ __noinline__ void barrier_in_function(int* shared, int t) {
  shared[t] = t;
  __syncthreads();
}
__global__ void synchronize_in_function(int* out) {
  __shared__ int values[64];
  const int t = static_cast<int>(threadIdx.x);
  barrier_in_function(values, t);
  out[t] = values[63 - t];
}

// Lanes of one warp execute the same shuffle at different depths of recursion.
__device__ __noinline__ int descend(int depth, int value) {
  if (depth == 0) return __shfl_xor_sync(~0u, value, 1);
  return 3 * descend(depth - 1, value + 100) + depth;
}
__global__ void meet_at_depths(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = descend(t % 4, t);
}
int met_at_depths(int t) {
  const int neighbor = t ^ 1;
  int value = neighbor + 100 * (neighbor % 4);
  for (int depth = 1; depth <= t % 4; ++depth) value = 3 * value + depth;
  return value;
}

__global__ void use_heap(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  int* numbers = static_cast<int*>(malloc((t + 1) * sizeof(int)));
  for (int i = 0; i <= t; ++i) numbers[i] = i;
  int sum = 0;
  for (int i = 0; i <= t; ++i) sum += numbers[i];
  free(numbers);
  int* one = new int(sum);
  out[t] = *one;
  delete one;
}

int main() {
  constexpr int threads = 3 * 64;
  CHECK_OK(cudaDeviceSetLimit(cudaLimitStackSize, 32 * 1024));  // for the recursion
  long long* results = nullptr;
  CHECK_OK(cudaMallocManaged(&results, threads * sizeof *results));
  run_everything<<<3, 64>>>(results);
  CHECK_OK(cudaDeviceSynchronize());
  bool same = true;
  for (int t = 0; t < threads; ++t) same = same && results[t] == everything(t, host_table[t % 3]);
  CHECK(same);

  int* out = nullptr;
  CHECK_OK(cudaMallocManaged(&out, 64 * sizeof *out));
  meet_in_function<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 496 + 1 && out[31] == 496 + 2);
  meet_at_depths<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  bool met = true;
  for (int t = 0; t < 32; ++t) met = met && out[t] == met_at_depths(t);
  CHECK(met);
  synchronize_in_function<<<1, 64>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 63 && out[63] == 0);
  use_heap<<<1, 64>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 0 && out[63] == 63 * 64 / 2);
  return runtime_test::result();
}
