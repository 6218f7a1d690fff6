// Between what nodes do and the structures in which the runtime's programs give it and ask for it.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/node_parameters.h"

namespace tmaemu::runtime {

// Each gives `result` where the parameters are good.
Error parameters_from(const cudaKernelNodeParams* given, AnyParameters& result);
Error parameters_from(const cudaKernelNodeParamsV2* given, AnyParameters& result);
Error parameters_from(const cudaMemcpy3DParms* given, AnyParameters& result);
Error parameters_from(const cudaMemsetParams* given, AnyParameters& result);
Error parameters_from(const cudaMemsetParamsV2* given, AnyParameters& result);
Error parameters_from(const cudaHostNodeParams* given, AnyParameters& result);
Error parameters_from(const cudaHostNodeParamsV2* given, AnyParameters& result);
Error linear_parameters(void* destination, const void* source, std::size_t size,
                        cudaMemcpyKind kind, AnyParameters& result);

// What the node does.
void tell(const GraphNode& node, const KernelNode& kernel, cudaKernelNodeParams& result);
void tell(const GraphNode& node, const CopyRequest& copy, cudaMemcpy3DParms& result);
void tell(const GraphNode& node, const FillRequest& fill, cudaMemsetParams& result);
void tell(const GraphNode& node, const HostNode& host, cudaHostNodeParams& result);

}  // namespace tmaemu::runtime
