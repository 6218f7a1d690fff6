#include "bench/cublas_lt.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>

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

int family_of(const cublasLtMatmulAlgo_t& algorithm) {
  int id = 0;
  size_t bytes = 0;
  check(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id,
                                             &bytes),
        "cublasLtMatmulAlgoConfigGetAttribute");
  return id;
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
  std::set<int> families;  // of kernels, of which the heuristic offers some
  for (const cublasLtMatmulAlgo_t& offered : algorithms_) families.insert(family_of(offered));
  for (const int family : families) add_settings_of(family);
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

// Which settings go together only cublasLt knows: it is asked for each combination.
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
    for (const uint32_t stages : values_of(algorithm, CUBLASLT_ALGO_CAP_STAGES_IDS)) {
      for (uint32_t custom = 0; custom < customs; ++custom) {
        cublasLtMatmulAlgo_t one = algorithm;
        if (set(one, CUBLASLT_ALGO_CONFIG_TILE_ID, tile) &&
            set(one, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages) &&
            set(one, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, custom)) {
          add_clusters_of(one);
        }
      }
    }
  }
}

void CublasLt::add_clusters_of(cublasLtMatmulAlgo_t algorithm) {
  for (const uint16_t cluster :
       {CUBLASLT_CLUSTER_SHAPE_1x1x1, CUBLASLT_CLUSTER_SHAPE_2x1x1, CUBLASLT_CLUSTER_SHAPE_1x2x1,
        CUBLASLT_CLUSTER_SHAPE_2x2x1, CUBLASLT_CLUSTER_SHAPE_4x1x1, CUBLASLT_CLUSTER_SHAPE_1x4x1}) {
    if (set(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster)) add_if_accepted(algorithm);
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

// Of the second of two calls; infinite where the library refuses them.
double CublasLt::seconds(const cublasLtMatmulAlgo_t& algorithm, const void* a, const void* b,
                         void* c) const {
  std::chrono::duration<double> took{};
  for (int call = 0; call < 2; ++call) {  // the first one warms up
    const auto begin = std::chrono::steady_clock::now();
    if (try_to_multiply(algorithm, a, b, c) != CUBLAS_STATUS_SUCCESS) {
      return std::numeric_limits<double>::infinity();
    }
    check(cudaDeviceSynchronize(), "cublasLtMatmul");
    took = std::chrono::steady_clock::now() - begin;
  }
  return took.count();
}

void CublasLt::keep_fastest(int count, const void* a, const void* b, void* c) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<double> times;
  for (const cublasLtMatmulAlgo_t& one : algorithms_) {
    if (std::chrono::steady_clock::now() - begin > most_seconds) break;
    times.push_back(seconds(one, a, b, c));
  }
  std::fprintf(stderr, "bench: cublasLt has %zu algorithms; the fastest of %zu are raced\n",
               algorithms_.size(), times.size());
  algorithms_.resize(times.size());
  std::vector<size_t> order(algorithms_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](size_t i, size_t j) { return times[i] < times[j]; });
  std::vector<cublasLtMatmulAlgo_t> kept;
  for (const size_t i : order) {
    if (static_cast<int>(kept.size()) <= count && times[i] < 1) kept.push_back(algorithms_[i]);
  }
  algorithms_ = kept;
}

}  // namespace bench
