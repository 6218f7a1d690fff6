#include "emulator/runtime/blas/library.h"

#include <library_types.h>

#include <memory>

#include "emulator/runtime/state/caller.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

Handles<BlasHandle>& blas_handles() {
  static auto* handles = new Handles<BlasHandle>;
  return *handles;
}

BlasStatusText blas_status_text(int status) {
  switch (static_cast<BlasStatus>(status)) {
    case BlasStatus::success:
      return {"CUBLAS_STATUS_SUCCESS", "success"};
    case BlasStatus::not_initialized:
      return {"CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"};
    case BlasStatus::alloc_failed:
      return {"CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"};
    case BlasStatus::invalid_value:
      return {"CUBLAS_STATUS_INVALID_VALUE",
              "an unsupported value or parameter was passed to the function"};
    case BlasStatus::arch_mismatch:
      return {"CUBLAS_STATUS_ARCH_MISMATCH",
              "the function requires a feature absent from the device architecture"};
    case BlasStatus::mapping_error:
      return {"CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"};
    case BlasStatus::execution_failed:
      return {"CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"};
    case BlasStatus::internal_error:
      return {"CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"};
    case BlasStatus::not_supported:
      return {"CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"};
    case BlasStatus::license_error:
      return {"CUBLAS_STATUS_LICENSE_ERROR", "the functionality requires a license"};
  }
  return {"<unknown>", "<unknown>"};
}

BlasStatus refuse(BlasStatus status, const char* call, const std::string& why) {
  explain(std::string(call) + " refused: " + why);
  return status;
}

BlasStatus check_blas_caller() {
  if (check_caller() != Error::success) return BlasStatus::not_initialized;
  Contexts::instance().ensure_current();
  const bool has_failed = FaultState::instance().sticky() != Error::success;
  return has_failed ? BlasStatus::execution_failed : BlasStatus::success;
}

int blas_property(int version, int property, int* value) {
  const int numbers[] = {version / 10000, version / 100 % 100, version % 100};
  static_assert(MAJOR_VERSION == 0 && MINOR_VERSION == 1 && PATCH_LEVEL == 2);
  if (any_null(value) || property < MAJOR_VERSION || property > PATCH_LEVEL) {
    return static_cast<int>(BlasStatus::invalid_value);
  }
  *value = numbers[property];
  return static_cast<int>(BlasStatus::success);
}

int create_blas_handle(void** handle) {
  return blas_call([&] {
    if (any_null(handle)) return BlasStatus::invalid_value;
    *handle = blas_handles().add(std::make_unique<BlasHandle>());
    return BlasStatus::success;
  });
}

int destroy_blas_handle(void* handle) {
  const std::lock_guard lock(Device::instance().mutex());
  return static_cast<int>(blas_handles().remove(handle) ? BlasStatus::success
                                                        : BlasStatus::not_initialized);
}

}  // namespace tmaemu::runtime

extern "C" int tmaemu_blas_not_modeled(const char* call) {
  using namespace tmaemu::runtime;
  explain(std::string(call) +
          " is not modeled: of cuBLAS there are products of real matrices (cublasSgemm, "
          "cublasGemmEx and their like, cublasLtMatmul); compute it in a kernel of your own, or "
          "run the program on a GPU");
  return static_cast<int>(BlasStatus::not_supported);
}
