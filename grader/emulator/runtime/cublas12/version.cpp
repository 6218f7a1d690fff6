#include "emulator/runtime/cublas/version.h"

namespace tmaemu::runtime {
const int blas_version = 120901;
const int runtime_of_blas = 12090;
}  // namespace tmaemu::runtime
