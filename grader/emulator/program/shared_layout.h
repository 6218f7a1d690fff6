// Where a kernel's shared variables lie: where ptxas puts them, since programs print, compare and
// align these addresses, and since what a store beyond an array hits depends on its neighbors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "emulator/fatbin/cubin.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

struct SharedLayout {
  // Of each variable that the kernel names, or a function that it may call: its address in the
  // CTA's shared memory.
  std::unordered_map<const ptx::Variable*, std::size_t> addresses;
  // Where static shared memory ends. What the launch adds to it follows here; the arrays of dynamic
  // shared memory may begin before, where one of them asks for more alignment than another.
  std::size_t end = 0;
};

// Whether it is an array without a size, `extern __shared__ float tile[]`: dynamic shared memory.
bool is_dynamic_shared(const ptx::Variable& variable);

// `first` is the first address that the program may have: those below are the driver's.
// `machine_code` is what ptxas made of this kernel, null where nobody knows.
SharedLayout lay_out_shared(const ptx::Module& module, const ptx::Function& kernel,
                            std::size_t first, const fatbin::KernelResources* machine_code);

}  // namespace tmaemu
