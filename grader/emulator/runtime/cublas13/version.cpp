#include "emulator/runtime/cublas/version.h"

namespace tmaemu::runtime {
const int blas_version = 130100;
const int runtime_of_blas = 13000;
}  // namespace tmaemu::runtime
