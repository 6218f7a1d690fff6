// One way to handle CUDA errors on the host: say what went wrong and where, and stop.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Where a call stands in the source: std::source_location, which GCC 10 has only as an experiment.
#if __has_include(<source_location>)
#include <source_location>
using CallPlace = std::source_location;
#else
#include <experimental/source_location>
using CallPlace = std::experimental::source_location;
#endif

// Ends the program with a message unless the CUDA runtime call that returned `error` succeeded:
//     cuda_check(cudaMalloc(&data, bytes));
inline void cuda_check(cudaError_t error, CallPlace where = CallPlace::current()) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: CUDA error %s: %s\n", where.file_name(),
               static_cast<unsigned>(where.line()), cudaGetErrorName(error),
               cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

// The same for calls of the driver, such as cuTensorMapEncodeTiled.
inline void cuda_check(CUresult error, CallPlace where = CallPlace::current()) {
  if (error == CUDA_SUCCESS) return;
  const char* name = nullptr;
  const char* meaning = nullptr;
  cuGetErrorName(error, &name);
  cuGetErrorString(error, &meaning);
  std::fprintf(stderr, "%s:%u: CUDA error %s: %s\n", where.file_name(),
               static_cast<unsigned>(where.line()), name != nullptr ? name : "of no known name",
               meaning != nullptr ? meaning : "no description");
  std::exit(EXIT_FAILURE);
}

// The same under the name that much CUDA code has for it. A macro, so that a file may define its
// own (`#ifndef CUDA_CHECK`), or undefine this one. Its argument may have commas outside of
// parentheses, as the braces of {a, b} have.
#ifndef CUDA_CHECK
#define CUDA_CHECK(...) cuda_check(__VA_ARGS__)
#endif
