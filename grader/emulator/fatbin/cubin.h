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
};
using ResourceTable = std::unordered_map<std::string, KernelResources>;  // by mangled name

// Of every kernel in a cubin (an ELF file for an NVIDIA GPU). An error names what is malformed.
common::Result<ResourceTable> read_resources(std::span<const std::byte> cubin);

}  // namespace tmaemu::fatbin
