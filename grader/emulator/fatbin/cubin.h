// What machine code says of the kernels in it: the resources that ptxas allocated to each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "common/result.h"

namespace tmaemu::fatbin {

struct KernelResources {
  std::uint32_t registers = 0;    // per thread
  std::uint32_t local_bytes = 0;  // per thread: its stack frame
  std::uint32_t barriers = 0;     // of the CTA's sixteen
  // Where its static shared memory ends, the driver's reserved bytes at its start included; 0 where
  // it has none.
  std::size_t shared_bytes = 0;
  // Addresses of its shared variables, by mangled name. Only code for a debugger (-G) tells them.
  std::unordered_map<std::string, std::uint64_t> shared_variables;
};
using ResourceTable = std::unordered_map<std::string, KernelResources>;  // by mangled name

// Of every kernel in a cubin (an ELF file for an NVIDIA GPU). An error names what is malformed.
common::Result<ResourceTable> read_resources(std::span<const std::byte> cubin);

}  // namespace tmaemu::fatbin
