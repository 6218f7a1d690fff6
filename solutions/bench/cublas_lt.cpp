#include "bench/cublas_lt.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace bench {
namespace {

void check(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "bench: %s: %s\n", doing, cublasLtGetStatusString(status));
  std::exit(EXIT_FAILURE);
}
void check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s: %s\n", doing, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

// A matrix of bfloat16, one column after the other, as cublasLt sees them.
cublasLtMatrixLayout_t layout(int rows, int columns) {
  cublasLtMatrixLayout_t made;
  check(cublasLtMatrixLayoutCreate(&made, CUDA_R_16BF, static_cast<uint64_t>(rows),
                                   static_cast<uint64_t>(columns), rows),
        "cublasLtMatrixLayoutCreate");
  return made;
}

// The values that an algorithm has of one of its settings.
std::vector<uint32_t> values_of(const cublasLtMatmulAlgo_t& algorithm,
                                cublasLtMatmulAlgoCapAttributes_t setting) {
  size_t bytes = 0;
  if (cublasLtMatmulAlgoCapGetAttribute(&algorithm, setting, nullptr, 0, &bytes) !=
      CUBLAS_STATUS_SUCCESS) {
    return {};
  }
  std::vector<uint32_t> values(bytes / sizeof(uint32_t));
  check(cublasLtMatmulAlgoCapGetAttribute(&algorithm, setting, values.data(), bytes, &bytes),
        "cublasLtMatmulAlgoCapGetAttribute");
  return values;
}

template <typename Value>
bool set(cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t setting,
         Value value) {
  return cublasLtMatmulAlgoConfigSetAttribute(&algorithm, setting, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS;
}

}  // namespace

CublasLt::CublasLt(int m, int n, int k) : a_(layout(k, m)), b_(layout(k, n)), c_(layout(m, n)) {
  check(cublasLtCreate(&handle_), "cublasLtCreate");
  check(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        "cublasLtMatmulDescCreate");
  const cublasOperation_t transposed = CUBLAS_OP_T;  // of A, as cublasLt sees it
  check(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                       sizeof transposed),
        "cublasLtMatmulDescSetAttribute");
  check(cudaMalloc(&workspace_, workspace_bytes), "cudaMalloc");

  add_offered();
  int ids[100], count = 0;
  check(cublasLtMatmulAlgoGetIds(handle_, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF,
                                 CUDA_R_16BF, CUDA_R_16BF, 100, ids, &count),
        "cublasLtMatmulAlgoGetIds");
  for (int i = 0; i < count; ++i) add_settings_of(ids[i]);
}

void CublasLt::add_offered() {
  cublasLtMatmulPreference_t preference;
  check(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &workspace_bytes, sizeof workspace_bytes),
        "cublasLtMatmulPreferenceSetAttribute");
  cublasLtMatmulHeuristicResult_t offered[64];
  int count = 0;
  check(cublasLtMatmulAlgoGetHeuristic(handle_, product_, a_, b_, c_, c_, preference, 64, offered,
                                       &count),
        "cublasLtMatmulAlgoGetHeuristic");
  cublasLtMatmulPreferenceDestroy(preference);
  for (int i = 0; i < count; ++i) algorithms_.push_back(offered[i].algo);
}

// Hopper's kernels have a tile, a shape of their clusters and a custom option; how many stages they
// have follows from the tile.
void CublasLt::add_settings_of(int id) {
  cublasLtMatmulAlgo_t algorithm;
  if (cublasLtMatmulAlgoInit(handle_, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF,
                             CUDA_R_16BF, CUDA_R_16BF, id, &algorithm) != CUBLAS_STATUS_SUCCESS) {
    return;
  }
  const std::vector<uint32_t> last_custom =
      values_of(algorithm, CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX);
  const uint32_t customs = last_custom.empty() ? 1 : std::min(last_custom.front() + 1, 16u);
  for (const uint32_t tile : values_of(algorithm, CUBLASLT_ALGO_CAP_TILE_IDS)) {
    for (uint32_t custom = 0; custom < customs; ++custom) {
      for (const uint16_t cluster : {CUBLASLT_CLUSTER_SHAPE_1x1x1, CUBLASLT_CLUSTER_SHAPE_2x1x1,
                                     CUBLASLT_CLUSTER_SHAPE_1x2x1, CUBLASLT_CLUSTER_SHAPE_2x2x1,
                                     CUBLASLT_CLUSTER_SHAPE_4x1x1, CUBLASLT_CLUSTER_SHAPE_1x4x1}) {
        cublasLtMatmulAlgo_t one = algorithm;
        const uint32_t stages = CUBLASLT_MATMUL_STAGES_128xAUTO;
        if (set(one, CUBLASLT_ALGO_CONFIG_TILE_ID, tile) &&
            set(one, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages) &&
            set(one, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, custom) &&
            set(one, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster)) {
          add_if_accepted(one);
        }
      }
    }
  }
}

void CublasLt::add_if_accepted(const cublasLtMatmulAlgo_t& algorithm) {
  cublasLtMatmulHeuristicResult_t result;
  if (cublasLtMatmulAlgoCheck(handle_, product_, a_, b_, c_, c_, &algorithm, &result) ==
          CUBLAS_STATUS_SUCCESS &&
      result.workspaceSize <= workspace_bytes) {
    algorithms_.push_back(algorithm);
  }
}

CublasLt::~CublasLt() {
  cudaFree(workspace_);
  for (const cublasLtMatrixLayout_t one : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(one);
  cublasLtMatmulDescDestroy(product_);
  cublasLtDestroy(handle_);
}

cublasStatus_t CublasLt::try_to_multiply(const cublasLtMatmulAlgo_t& algorithm, const void* a,
                                         const void* b, void* c) const {
  const float one = 1;
  const float zero = 0;
  return cublasLtMatmul(handle_, product_, &one, a, a_, b, b_, &zero, c, c_, c, c_, &algorithm,
                        workspace_, workspace_bytes, nullptr);
}

void CublasLt::multiply(int algorithm, const void* a, const void* b, void* c) const {
  check(try_to_multiply(algorithms_[algorithm], a, b, c), "cublasLtMatmul");
}

// Of the faster of two calls; infinite where the library refuses them.
double CublasLt::seconds(const cublasLtMatmulAlgo_t& algorithm, const void* a, const void* b,
                         void* c) const {
  double best = std::numeric_limits<double>::infinity();
  for (int call = -1; call < 2; ++call) {  // the first one warms up
    const auto begin = std::chrono::steady_clock::now();
    if (try_to_multiply(algorithm, a, b, c) != CUBLAS_STATUS_SUCCESS) {
      return std::numeric_limits<double>::infinity();
    }
    check(cudaDeviceSynchronize(), "cublasLtMatmul");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (call >= 0) best = std::min(best, took.count());
  }
  return best;
}

void CublasLt::keep_fastest(int count, const void* a, const void* b, void* c) {
  std::vector<double> times;
  for (const cublasLtMatmulAlgo_t& one : algorithms_) times.push_back(seconds(one, a, b, c));
  std::vector<size_t> order(algorithms_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](size_t i, size_t j) { return times[i] < times[j]; });
  std::vector<cublasLtMatmulAlgo_t> kept;
  for (const size_t i : order) {
    if (static_cast<int>(kept.size()) <= count && times[i] < 1) kept.push_back(algorithms_[i]);
  }
  std::fprintf(stderr, "bench: cublasLt has %zu algorithms, and the fastest %d are raced\n",
               algorithms_.size(), count);
  algorithms_ = kept;
}

}  // namespace bench
