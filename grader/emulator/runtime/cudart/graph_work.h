// What nodes do, made of their parameters: when a node is made, and when it is given others.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

// Each gives `work` where the parameters are good.
Error kernel_work(const cudaKernelNodeParams* parameters, Work& work);
Error copy_work(const cudaMemcpy3DParms* parameters, Work& work);
Error copy_work(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                Work& work);
Error fill_work(const cudaMemsetParams* parameters, Work& work);
Error host_work(const cudaHostNodeParams* parameters, Work& work);

}  // namespace tmaemu::runtime
