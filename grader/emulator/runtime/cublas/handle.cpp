// cuBLAS, "Helper Function Reference": handles, and what they keep.
#include <cstddef>

#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/cublas/version.h"
#include "emulator/runtime/state/error.h"

using namespace tmaemu::runtime;

namespace {

template <class Value>
int tell(const void* handle, Value* place, Value BlasHandle::*member) {
  return blas_call_on(handle, [&](const BlasHandle& own) {
    if (any_null(place)) return BlasStatus::invalid_value;
    *place = own.*member;
    return BlasStatus::success;
  });
}

int keep(const void* handle, int value, int BlasHandle::*member, bool is_valid) {
  return blas_call_on(handle, [&](BlasHandle& own) {
    if (!is_valid) return BlasStatus::invalid_value;
    own.*member = value;
    return BlasStatus::success;
  });
}

bool is_math_mode(int mode) {
  switch (static_cast<MathMode>(mode & ~no_reduced_precision_reduction)) {
    case MathMode::standard:
    case MathMode::tensor_op:
    case MathMode::pedantic:
    case MathMode::tf32:
    case MathMode::emulated_bf16x9:
    case MathMode::emulated_fixed_point:
      return true;
  }
  return false;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  return create_blas_handle(handle);
}

int cublasDestroy_v2(void* handle) {
  return destroy_blas_handle(handle);
}

int cublasGetVersion_v2(void*, int* version) {
  return blas_call([&] {
    if (any_null(version)) return BlasStatus::invalid_value;
    *version = blas_version;
    return BlasStatus::success;
  });
}

int cublasGetProperty(int property, int* value) {
  return blas_property(blas_version, property, value);
}

std::size_t cublasGetCudartVersion() {
  return static_cast<std::size_t>(runtime_of_blas);
}

const char* cublasGetStatusName(int status) {
  return blas_status_text(status).name;
}

const char* cublasGetStatusString(int status) {
  return blas_status_text(status).description;
}

int cublasSetStream_v2(void* handle, const void* stream) {
  return blas_call_on(handle, [&](BlasHandle& own) {
    own.stream = stream;
    return BlasStatus::success;
  });
}

int cublasGetStream_v2(void* handle, const void** stream) {
  return tell(handle, stream, &BlasHandle::stream);
}

// Nothing here needs one.
int cublasSetWorkspace_v2(void* handle, void*, std::size_t) {
  return blas_call_on(handle, [](BlasHandle&) { return BlasStatus::success; });
}

int cublasSetPointerMode_v2(void* handle, int mode) {
  return blas_call_on(handle, [&](BlasHandle& own) {
    if (mode != 0 && mode != 1) return BlasStatus::invalid_value;
    own.pointer_mode = static_cast<PointerMode>(mode);
    return BlasStatus::success;
  });
}

int cublasGetPointerMode_v2(void* handle, PointerMode* mode) {
  return tell(handle, mode, &BlasHandle::pointer_mode);
}

int cublasSetMathMode(void* handle, int mode) {
  return keep(handle, mode, &BlasHandle::math_mode, is_math_mode(mode));
}

int cublasGetMathMode(void* handle, int* mode) {
  return tell(handle, mode, &BlasHandle::math_mode);
}

// These two change no result: kept as set.

int cublasSetAtomicsMode(void* handle, int mode) {
  return keep(handle, mode, &BlasHandle::atomics_mode, mode == 0 || mode == 1);
}

int cublasGetAtomicsMode(void* handle, int* mode) {
  return tell(handle, mode, &BlasHandle::atomics_mode);
}

int cublasSetSmCountTarget(void* handle, int count) {
  return keep(handle, count, &BlasHandle::sm_count_target, count >= 0);
}

int cublasGetSmCountTarget(void* handle, int* count) {
  return tell(handle, count, &BlasHandle::sm_count_target);
}

}  // extern "C"
