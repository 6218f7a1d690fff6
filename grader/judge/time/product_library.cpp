#include "judge/time/product_library.h"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <limits>

#include "common/round_up.h"
#include "common/text.h"
#include "judge/arrays/bfloat16.h"
#include "judge/time/cublas_lt.h"
#include "judge/time/product_check.h"

namespace judge {

using common::concat;

namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
// As many as the library offers: the best one is not always among the first.
constexpr int most_heuristics = 64;
constexpr int calls_of_each = 5;

template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_functions(void* library, cublas_lt::Functions& functions) {
  return find_function(library, "cublasLtCreate", functions.create) &&
         find_function(library, "cublasLtDestroy", functions.destroy) &&
         find_function(library, "cublasLtMatmulDescCreate", functions.create_description) &&
         find_function(library, "cublasLtMatmulDescSetAttribute", functions.set_description) &&
         find_function(library, "cublasLtMatrixLayoutCreate", functions.create_layout) &&
         find_function(library, "cublasLtMatmulPreferenceCreate", functions.create_preference) &&
         find_function(library, "cublasLtMatmulPreferenceSetAttribute", functions.set_preference) &&
         find_function(library, "cublasLtMatmulAlgoGetHeuristic", functions.find) &&
         find_function(library, "cublasLtMatmul", functions.multiply);
}

}  // namespace

// Lives as long as the judge; the library's own objects need not be given back before.
struct ProductLibrary::Loaded {
  cublas_lt::Functions functions{};
  cublas_lt::Handle handle = nullptr;
  cublas_lt::Description description = nullptr;
  cublas_lt::Layout a = nullptr;
  cublas_lt::Layout b = nullptr;
  cublas_lt::Layout c = nullptr;
  cublas_lt::Algorithm algorithm{};
  ProductSizes sizes;
  std::vector<DeviceMemory> memory;  // the workspace, and a C of its own

  // In the library's words, where a matrix lies column after column: C is m x n, A is k x m and
  // transposed, B is k x n.
  bool describe() {
    const int op = cublas_lt::transposed;
    const auto [m, n, k] = sizes;
    return functions.create(&handle) == 0 &&
           functions.create_description(&description, cublas_lt::compute_32f, CUDA_R_32F) == 0 &&
           functions.set_description(description, cublas_lt::description_trans_a, &op, sizeof op) ==
               0 &&
           functions.create_layout(&a, CUDA_R_16BF, k, m, k) == 0 &&
           functions.create_layout(&b, CUDA_R_16BF, k, n, k) == 0 &&
           functions.create_layout(&c, CUDA_R_16BF, m, n, m) == 0;
  }

  cublas_lt::Status multiply(BandwidthCase::Set set, void* to,
                             const cublas_lt::Algorithm& by) const {
    const float one = 1;
    const float zero = 0;
    return functions.multiply(handle, description, &one, set[0], a, set[1], b, &zero, to, c, to, c,
                              &by, memory[0].address(), workspace_bytes, nullptr);
  }

  // Seconds of a few calls; infinite where the library refuses them.
  double time(BandwidthCase::Set set, const cublas_lt::Algorithm& by) const {
    const auto run = [&](int calls) {
      for (int i = 0; i < calls; ++i) {
        if (multiply(set, memory[1].address(), by) != 0) return false;
      }
      return cudaDeviceSynchronize() == cudaSuccess;
    };
    if (!run(1)) return std::numeric_limits<double>::infinity();
    const auto begin = std::chrono::steady_clock::now();
    if (!run(calls_of_each)) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  common::Status choose(BandwidthCase::Set example) {
    cublas_lt::Preference preference = nullptr;
    std::array<cublas_lt::Heuristic, most_heuristics> offered{};
    int count = 0;
    const bool asked = functions.create_preference(&preference) == 0 &&
                       functions.set_preference(preference, cublas_lt::preference_workspace,
                                                &workspace_bytes, sizeof workspace_bytes) == 0 &&
                       functions.find(handle, description, a, b, c, c, preference, most_heuristics,
                                      offered.data(), &count) == 0;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; asked && i < count; ++i) {
      if (offered[i].state != 0) continue;
      const double seconds = time(example, offered[i].algorithm);
      if (seconds >= best) continue;
      best = seconds;
      algorithm = offered[i].algorithm;
    }
    if (best < std::numeric_limits<double>::infinity()) return {};
    return common::Error{"cublasLt has no product of the size that is timed"};
  }
};

common::Result<ProductLibrary> ProductLibrary::open(const std::string& path,
                                                    const ProductSizes& sizes,
                                                    BandwidthCase::Set example, Device& device) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return common::Error{concat("cublasLt cannot be loaded: ", dlerror())};
  auto loaded = std::make_shared<Loaded>();
  if (!find_functions(library, loaded->functions)) {
    return common::Error{concat(path, " is no cublasLt")};
  }
  loaded->sizes = sizes;
  const std::size_t of_c = static_cast<std::size_t>(sizes.m * sizes.n) * sizeof(Bfloat16);
  for (const std::size_t bytes : {workspace_bytes, of_c}) {
    auto memory = device.allocate(common::round_up(bytes, block_bytes));
    if (!memory) return memory.error();
    loaded->memory.push_back(std::move(memory).value());
  }
  if (!loaded->describe()) return common::Error{"cublasLt refuses to describe the product"};
  if (auto chosen = loaded->choose(example); !chosen) return chosen.error();
  return ProductLibrary(std::move(loaded));
}

cudaError_t ProductLibrary::multiply(BandwidthCase::Set set) const {
  return loaded_->multiply(set, set[2], loaded_->algorithm) == 0 ? cudaSuccess
                                                                 : cudaErrorLaunchFailure;
}

cudaError_t ProductLibrary::check(BandwidthCase::Set set, Mismatches* result) const {
  void* const right = loaded_->memory[1].address();
  if (loaded_->multiply(set, right, loaded_->algorithm) != 0) return cudaErrorLaunchFailure;
  return compare_products(set[2], right, loaded_->sizes, result);
}

}  // namespace judge
