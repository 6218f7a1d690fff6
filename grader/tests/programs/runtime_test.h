// For the runtime_*.cu programs: each states rules of the CUDA runtime or driver, prints "ok" and
// ends with 0 when all hold. They pass on an H200 as well as under tmaemu.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace runtime_test {

inline int failures = 0;

inline void check(bool holds, const char* rule, int line) {
  if (holds) return;
  ++failures;
  std::printf("line %d: does not hold: %s\n", line, rule);
}

inline void check_error(cudaError_t got, cudaError_t expected, const char* rule, int line) {
  if (got == expected) return;
  ++failures;
  std::printf("line %d: %s: got %s, not %s\n", line, rule, cudaGetErrorName(got),
              cudaGetErrorName(expected));
}

inline int result() {
  std::puts(failures == 0 ? "ok" : "failed");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace runtime_test

#define CHECK(condition) runtime_test::check((condition), #condition, __LINE__)
#define CHECK_ERROR(expected, call) runtime_test::check_error((call), (expected), #call, __LINE__)
#define CHECK_OK(call) CHECK_ERROR(cudaSuccess, call)
