// What differs between the libraries of two major versions. Defined in cublas12/ and cublas13/.
#pragma once

namespace tmaemu::runtime {

// As cublasGetVersion and cublasLtGetVersion give it: major * 10000 + minor * 100 + patch.
extern const int blas_version;
// As cudaRuntimeGetVersion gives that of the runtime it was built with.
extern const int runtime_of_blas;

}  // namespace tmaemu::runtime
