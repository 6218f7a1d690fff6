// Checks of the driver's calls, as runtime_test.h has them for the runtime's.
#pragma once

#include <cuda.h>

#include "runtime_test.h"

inline void check_result(CUresult got, CUresult expected, const char* rule, int line) {
  runtime_test::check_error(static_cast<cudaError_t>(got), static_cast<cudaError_t>(expected), rule,
                            line);
}
#define CHECK_RESULT(expected, call) check_result((call), (expected), #call, __LINE__)
#define CHECK_DRIVER(call) CHECK_RESULT(CUDA_SUCCESS, call)
