// The kernels that shared_kernels.py writes, and nvcc compiles.
#pragma once

#include <span>
#include <vector>

namespace conformance {

struct SharedKernel {
  const char* name;
  const void* function;
  // As of the kernels of a SharedModule.
  unsigned words;
};

// Every file adds its own before main() begins.
std::vector<SharedKernel>& shared_kernels();

struct AddedSharedKernels {
  explicit AddedSharedKernels(std::span<const SharedKernel> kernels);
};

}  // namespace conformance
