// Products of cublasLtMatmul, described with the header's own functions.
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <vector>

#include "runtime_test.h"

static cublasLtHandle_t handle = nullptr;

#define CHECK_SUCCESS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

template <class T>
static T* on_device(const std::vector<T>& numbers) {
  T* device = nullptr;
  CHECK_OK(cudaMalloc(&device, numbers.size() * sizeof(T)));
  CHECK_OK(cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
static std::vector<T> on_host(const T* device, std::size_t count) {
  std::vector<T> numbers(count);
  CHECK_OK(cudaMemcpy(numbers.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return numbers;
}

struct Matmul {
  Matmul(cublasComputeType_t compute, cudaDataType scale) {
    CHECK_SUCCESS(cublasLtMatmulDescCreate(&description, compute, scale));
  }
  ~Matmul() {
    cublasLtMatmulDescDestroy(description);
    for (cublasLtMatrixLayout_t layout : layouts) cublasLtMatrixLayoutDestroy(layout);
  }
  Matmul(const Matmul&) = delete;

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    CHECK_SUCCESS(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value));
  }
  cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int columns, int leading,
                                cublasLtOrder_t order = CUBLASLT_ORDER_COL) {
    cublasLtMatrixLayout_t made = nullptr;
    CHECK_SUCCESS(cublasLtMatrixLayoutCreate(&made, type, rows, columns, leading));
    CHECK_SUCCESS(
        cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    layouts.push_back(made);
    return made;
  }

  cublasLtMatmulDesc_t description = nullptr;
  std::vector<cublasLtMatrixLayout_t> layouts;
};

static std::vector<float> counted(int count) {
  std::vector<float> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(static_cast<float>(i % 7 - 3));
  return numbers;
}

// By row: D = A * B of 3 x 4 and 4 x 2, with the algorithm that the library chooses.
static void matrices_may_lie_by_row() {
  Matmul matmul(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const std::vector<float> a = counted(12), b = counted(8);
  float* const device_a = on_device(a);
  float* const device_b = on_device(b);
  float* const device_d = on_device(std::vector<float>(6));
  const auto layout_a = matmul.layout(CUDA_R_32F, 3, 4, 4, CUBLASLT_ORDER_ROW);
  const auto layout_b = matmul.layout(CUDA_R_32F, 4, 2, 2, CUBLASLT_ORDER_ROW);
  const auto layout_d = matmul.layout(CUDA_R_32F, 3, 2, 2, CUBLASLT_ORDER_ROW);
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const std::size_t workspace = 1 << 20;
  CHECK_SUCCESS(cublasLtMatmulPreferenceCreate(&preference));
  CHECK_SUCCESS(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace));
  CHECK_SUCCESS(cublasLtMatmulAlgoGetHeuristic(handle, matmul.description, layout_a, layout_b,
                                               layout_d, layout_d, preference, 1, &best, &found));
  CHECK(found == 1 && best.state == CUBLAS_STATUS_SUCCESS && best.workspaceSize <= workspace);
  const float one = 1, zero = 0;
  CHECK_SUCCESS(cublasLtMatmul(handle, matmul.description, &one, device_a, layout_a, device_b,
                               layout_b, &zero, device_d, layout_d, device_d, layout_d, &best.algo,
                               nullptr, 0, nullptr));
  const std::vector<float> d = on_host(device_d, 6);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      float sum = 0;
      for (int p = 0; p < 4; ++p) sum += a[i * 4 + p] * b[p * 2 + j];
      CHECK(d[i * 2 + j] == sum);
    }
  }
  CHECK_SUCCESS(cublasLtMatmulPreferenceDestroy(preference));
  for (float* device : {device_a, device_b, device_d}) CHECK_OK(cudaFree(device));
}

// A is one row of the identity's, so D is what follows of B's first numbers.
static void a_bias_comes_before_the_activation() {
  Matmul matmul(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  float* const device_a = on_device(std::vector<float>{1, 0, 0, 1});
  float* const device_b = on_device(std::vector<float>{1, -5, 2, 6});
  float* const device_bias = on_device(std::vector<float>{-3, 4});
  float* const device_d = on_device(std::vector<float>(4));
  const auto layout = matmul.layout(CUDA_R_32F, 2, 2, 2);
  matmul.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_BIAS);
  matmul.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, device_bias);
  const float one = 1, zero = 0;
  CHECK_SUCCESS(cublasLtMatmul(handle, matmul.description, &one, device_a, layout, device_b, layout,
                               &zero, device_d, layout, device_d, layout, nullptr, nullptr, 0,
                               nullptr));
  CHECK((on_host(device_d, 4) == std::vector<float>{0, 0, 0, 10}));
  for (float* device : {device_a, device_b, device_bias, device_d}) CHECK_OK(cudaFree(device));
}

// On Hopper fp8 is multiplied as A transposed and B as it is.
static void fp8_is_scaled() {
  constexpr int size = 16;
  Matmul matmul(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const __nv_fp8_e4m3 one_and_a_half(1.5f);
  auto* const device_a = on_device(std::vector<__nv_fp8_e4m3>(size * size, one_and_a_half));
  auto* const device_c = on_device(std::vector<__nv_bfloat16>(size * size));
  auto* const device_d = on_device(std::vector<__nv_fp8_e4m3>(size * size));
  float* const scales = on_device(std::vector<float>{2, 0.25f, -1, 0, 0.5f});
  const auto layout = matmul.layout(CUDA_R_8F_E4M3, size, size, size);
  const auto layout_c = matmul.layout(CUDA_R_16BF, size, size, size);
  const float one = 1, zero = 0;
  const auto multiply = [&] {
    return cublasLtMatmul(handle, matmul.description, &one, device_a, layout, device_a, layout,
                          &zero, device_c, layout_c, device_d, layout, nullptr, nullptr, 0,
                          nullptr);
  };
  CHECK(multiply() == CUBLAS_STATUS_NOT_SUPPORTED);
  matmul.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  matmul.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
  matmul.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 3);
  matmul.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales + 1);
  matmul.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 2);
  CHECK(multiply() == CUBLAS_STATUS_NOT_SUPPORTED);  // the scale of B has 4 bytes' alignment
  matmul.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 4);
  CHECK_SUCCESS(multiply());
  CHECK(static_cast<float>(on_host(device_d, size * size)[17]) == 9.0f);
  CHECK(on_host(scales, 3)[2] == 36.0f);
  CHECK_OK(cudaFree(device_a));
  CHECK_OK(cudaFree(device_c));
  CHECK_OK(cudaFree(device_d));
  CHECK_OK(cudaFree(scales));
}

// bf16 would drop what f16 and TF32 keep, and f16 has no such power.
static void fast_compute_types_of_f32_have_tf32s_digits() {
  constexpr float kept = 1 + 0x1p-9f, large = 0x1p40f, dropped = 1 + 0x1p-20f;
  for (const auto compute :
       {CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_16BF, CUBLAS_COMPUTE_32F_FAST_TF32}) {
    Matmul matmul(compute, CUDA_R_32F);
    float* const device_a = on_device(std::vector<float>{1, 0, 0, 1});
    float* const device_b = on_device(std::vector<float>{kept, large, dropped, 0});
    float* const device_d = on_device(std::vector<float>(4));
    const auto layout = matmul.layout(CUDA_R_32F, 2, 2, 2);
    const float one = 1, zero = 0;
    CHECK_SUCCESS(cublasLtMatmul(handle, matmul.description, &one, device_a, layout, device_b,
                                 layout, &zero, device_d, layout, device_d, layout, nullptr,
                                 nullptr, 0, nullptr));
    CHECK((on_host(device_d, 4) == std::vector<float>{kept, large, 1, 0}));
    for (float* device : {device_a, device_b, device_d}) CHECK_OK(cudaFree(device));
  }
}

static void descriptions_say_what_was_set() {
  cublasLtMatrixLayoutOpaque_t layout;
  std::uint64_t rows = 0;
  std::size_t written = 0;
  CHECK_SUCCESS(cublasLtMatrixLayoutInit(&layout, CUDA_R_16F, 5, 6, 7));
  CHECK_SUCCESS(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows,
                                                 sizeof rows, &written));
  CHECK(rows == 5 && written == sizeof rows);
  CHECK(cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, 4) ==
        CUBLAS_STATUS_INVALID_VALUE);
}

static void a_wrong_shape_is_an_invalid_value() {
  Matmul matmul(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const auto layout = matmul.layout(CUDA_R_32F, 2, 2, 2);
  const auto other = matmul.layout(CUDA_R_32F, 3, 2, 3);
  float* const device = on_device(std::vector<float>(8));
  const float one = 1;
  CHECK(cublasLtMatmul(handle, matmul.description, &one, device, layout, device, other, &one,
                       device, layout, device, layout, nullptr, nullptr, 0,
                       nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK_OK(cudaFree(device));
}

int main() {
  CHECK_SUCCESS(cublasLtCreate(&handle));
  matrices_may_lie_by_row();
  a_bias_comes_before_the_activation();
  fp8_is_scaled();
  fast_compute_types_of_f32_have_tf32s_digits();
  descriptions_say_what_was_set();
  a_wrong_shape_is_an_invalid_value();
  CHECK_SUCCESS(cublasLtDestroy(handle));
  return runtime_test::result();
}
