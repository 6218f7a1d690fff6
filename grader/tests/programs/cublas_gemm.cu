// Products of cuBLAS's gemm between a program's own kernels. Numbers are small integers, so that
// every order of their sums gives the same.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "runtime_test.h"

// Of any size and transposition: a column of A as it lies in memory has 3 elements more than rows.
struct Shape {
  int m, n, k;
  cublasOperation_t transa, transb;
  int lda() const { return (transa == CUBLAS_OP_N ? m : k) + 3; }
  int ldb() const { return (transb == CUBLAS_OP_N ? k : n) + 2; }
  int ldc() const { return m + 1; }
  int a_size() const { return lda() * (transa == CUBLAS_OP_N ? k : m); }
  int b_size() const { return ldb() * (transb == CUBLAS_OP_N ? n : k); }
  int c_size() const { return ldc() * n; }
};

__host__ __device__ inline int number(int i, int of) {
  return (i * 7 + i / 5 + of) % 9 - 4;
}

template <class T>
__global__ void fill(T* to, int count, int of) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<T>(static_cast<float>(number(i, of)));
}

template <class T>
__global__ void double_all(T* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = numbers[i] + numbers[i];
}

template <class T>
struct Array {
  explicit Array(int size) : count(size) { CHECK_OK(cudaMalloc(&data, count * sizeof(T))); }
  ~Array() { cudaFree(data); }
  Array(const Array&) = delete;
  void fill_with(int of, cudaStream_t stream) {
    fill<<<(count + 127) / 128, 128, 0, stream>>>(data, count, of);
  }
  std::vector<T> copied(cudaStream_t stream) const {
    std::vector<T> copy(count);
    CHECK_OK(cudaMemcpyAsync(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    return copy;
  }
  T* data = nullptr;
  int count;
};

// 2 * (alpha * op(A) * op(B) + beta * C), but for what lies between the columns.
static int expected(const Shape& shape, int i, int j, int alpha, int beta) {
  int sum = 0;
  for (int p = 0; p < shape.k; ++p) {
    const int a = shape.transa == CUBLAS_OP_N ? i + p * shape.lda() : p + i * shape.lda();
    const int b = shape.transb == CUBLAS_OP_N ? p + j * shape.ldb() : j + p * shape.ldb();
    sum += number(a, 1) * number(b, 2);
  }
  return 2 * (alpha * sum + beta * number(i + j * shape.ldc(), 3));
}

template <class T, class Multiply>
static bool is_right(const Shape& shape, cudaStream_t stream, Multiply multiply) {
  Array<T> a(shape.a_size()), b(shape.b_size()), c(shape.c_size());
  a.fill_with(1, stream);
  b.fill_with(2, stream);
  c.fill_with(3, stream);
  if (multiply(a.data, b.data, c.data) != CUBLAS_STATUS_SUCCESS) return false;
  double_all<<<(c.count + 127) / 128, 128, 0, stream>>>(c.data, c.count);
  const std::vector<T> got = c.copied(stream);
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      const T wanted = static_cast<T>(static_cast<float>(expected(shape, i, j, 2, 1)));
      if (static_cast<float>(got[i + j * shape.ldc()]) != static_cast<float>(wanted)) return false;
    }
  }
  return true;
}

static cublasHandle_t handle = nullptr;

static bool single_is_right(const Shape& s, cudaStream_t stream) {
  const float alpha = 2, beta = 1;
  return is_right<float>(s, stream, [&](const float* a, const float* b, float* c) {
    return cublasSgemm(handle, s.transa, s.transb, s.m, s.n, s.k, &alpha, a, s.lda(), b, s.ldb(),
                       &beta, c, s.ldc());
  });
}

static bool double_is_right(const Shape& s, cudaStream_t stream) {
  const double alpha = 2, beta = 1;
  return is_right<double>(s, stream, [&](const double* a, const double* b, double* c) {
    return cublasDgemm(handle, s.transa, s.transb, s.m, s.n, s.k, &alpha, a, s.lda(), b, s.ldb(),
                       &beta, c, s.ldc());
  });
}

static bool half_is_right(const Shape& s, cudaStream_t stream) {
  const __half alpha = __float2half(2), beta = __float2half(1);
  return is_right<__half>(s, stream, [&](const __half* a, const __half* b, __half* c) {
    return cublasHgemm(handle, s.transa, s.transb, s.m, s.n, s.k, &alpha, a, s.lda(), b, s.ldb(),
                       &beta, c, s.ldc());
  });
}

static bool bfloat16_is_right(const Shape& s, cudaStream_t stream) {
  const float alpha = 2, beta = 1;
  return is_right<__nv_bfloat16>(s, stream, [&](const auto* a, const auto* b, auto* c) {
    return cublasGemmEx(handle, s.transa, s.transb, s.m, s.n, s.k, &alpha, a, CUDA_R_16BF, s.lda(),
                        b, CUDA_R_16BF, s.ldb(), &beta, c, CUDA_R_16BF, s.ldc(), CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT);
  });
}

static void products_come_between_the_kernels_of_their_stream() {
  cudaStream_t stream = nullptr;
  CHECK_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  for (const cublasOperation_t transa : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      const Shape shape{37, 21, 17, transa, transb};
      CHECK(single_is_right(shape, stream));
      CHECK(double_is_right(shape, stream));
      CHECK(half_is_right(shape, stream));
      CHECK(bfloat16_is_right(shape, stream));
    }
  }
  CHECK(cublasSetStream(handle, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK_OK(cudaStreamDestroy(stream));
}

static void a_captured_product_is_computed_at_each_launch_of_the_graph() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  const Shape s{8, 8, 8, CUBLAS_OP_N, CUBLAS_OP_N};
  Array<float> a(s.a_size()), b(s.b_size()), c(s.c_size());
  const float one = 1;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  a.fill_with(1, stream);
  b.fill_with(2, stream);
  CHECK_OK(cudaMemsetAsync(c.data, 0, c.count * sizeof(float), stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK(cublasSgemm(handle, s.transa, s.transb, s.m, s.n, s.k, &one, a.data, s.lda(), b.data,
                    s.ldb(), &one, c.data, s.ldc()) == CUBLAS_STATUS_SUCCESS);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 4; ++i) CHECK_OK(cudaGraphLaunch(executable, stream));
  const int once = expected(s, 3, 5, 1, 0) / 2;
  CHECK(c.copied(stream)[3 + 5 * s.ldc()] == 4.0f * once);
  CHECK(cublasSetStream(handle, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

// alpha on the device, written by a copy before the product.
static void a_factor_may_be_on_the_device() {
  const Shape s{5, 6, 7, CUBLAS_OP_N, CUBLAS_OP_N};
  Array<float> factors(2);
  const float values[] = {2, 1};
  CHECK_OK(cudaMemcpy(factors.data, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  CHECK(is_right<float>(s, nullptr, [&](const float* a, const float* b, float* c) {
    return cublasSgemm(handle, s.transa, s.transb, s.m, s.n, s.k, factors.data, a, s.lda(), b,
                       s.ldb(), factors.data + 1, c, s.ldc());
  }));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
}

// C = A * B of 2 x 2 with the numbers 1, 2, 3, 4 in each matrix of a batch.
static void batches_are_of_arrays_or_of_strides() {
  constexpr int count = 3;
  const float one = 1, zero = 0;
  const std::vector<float> numbers{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  Array<float> a(4 * count), c(4 * count);
  Array<float*> of_a(count), of_c(count);
  CHECK_OK(cudaMemcpy(a.data, numbers.data(), sizeof(float) * 4 * count, cudaMemcpyHostToDevice));
  std::vector<float*> places_a, places_c;
  for (int i = 0; i < count; ++i) places_a.push_back(a.data + 4 * i);
  for (int i = 0; i < count; ++i) places_c.push_back(c.data + 4 * i);
  CHECK_OK(cudaMemcpy(of_a.data, places_a.data(), sizeof(float*) * count, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(of_c.data, places_c.data(), sizeof(float*) * count, cudaMemcpyHostToDevice));
  const std::vector<float> squares{7, 10, 15, 22, 7, 10, 15, 22, 7, 10, 15, 22};
  CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, of_a.data, 2, of_a.data,
                           2, &zero, of_c.data, 2, count) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.copied(nullptr) == squares);
  CHECK_OK(cudaMemset(c.data, 0, sizeof(float) * 4 * count));
  CHECK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data,
                                   CUDA_R_32F, 2, 4, a.data, CUDA_R_32F, 2, 4, &zero, c.data,
                                   CUDA_R_32F, 2, 4, count, CUBLAS_COMPUTE_32F,
                                   CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.copied(nullptr) == squares);
}

static void wrong_arguments_have_the_status_of_the_manual() {
  Array<float> c(64);
  const float one = 1;
  const auto gemm = [&](int m, int lda, int ldc, const float* alpha) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 4, 4, alpha, c.data, lda, c.data, 4,
                       &one, c.data, ldc);
  };
  CHECK(gemm(-1, 4, 4, &one) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(gemm(4, 3, 4, &one) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(gemm(4, 4, 3, &one) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(gemm(4, 4, 4, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(gemm(0, 1, 1, &one) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, c.data, CUDA_R_16F, 4, c.data,
                     CUDA_R_16BF, 4, &one, c.data, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasSetMathMode(nullptr, CUBLAS_DEFAULT_MATH) == CUBLAS_STATUS_NOT_INITIALIZED);
}

int main() {
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  products_come_between_the_kernels_of_their_stream();
  a_captured_product_is_computed_at_each_launch_of_the_graph();
  a_factor_may_be_on_the_device();
  batches_are_of_arrays_or_of_strides();
  wrong_arguments_have_the_status_of_the_manual();
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return runtime_test::result();
}
