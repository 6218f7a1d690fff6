// cublasLt, "cublasLt API Reference": handles, versions, and settings that change nothing here.
#include <cstddef>

#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/cublas/version.h"

using namespace tmaemu::runtime;

extern "C" {

int cublasLtCreate(void** handle) {
  return create_blas_handle(handle);
}

int cublasLtDestroy(void* handle) {
  return destroy_blas_handle(handle);
}

std::size_t cublasLtGetVersion() {
  return static_cast<std::size_t>(blas_version);
}

std::size_t cublasLtGetCudartVersion() {
  return static_cast<std::size_t>(runtime_of_blas);
}

int cublasLtGetProperty(int property, int* value) {
  return blas_property(blas_version, property, value);
}

const char* cublasLtGetStatusName(int status) {
  return blas_status_text(status).name;
}

const char* cublasLtGetStatusString(int status) {
  return blas_status_text(status).description;
}

}  // extern "C"
