// Between what nodes do and the structures in which the driver's programs give it and ask for it.
#pragma once

#include <cuda.h>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/node_parameters.h"

namespace tmaemu::runtime {

// Each gives `result` where the parameters are good.
Error parameters_from(const CUDA_KERNEL_NODE_PARAMS_v2* given, AnyParameters& result);
Error parameters_from(const CUDA_KERNEL_NODE_PARAMS_v3* given, AnyParameters& result);
Error parameters_from(const CUDA_MEMCPY3D* given, AnyParameters& result);
Error parameters_from(const CUDA_MEMSET_NODE_PARAMS* given, AnyParameters& result);
Error parameters_from(const CUDA_MEMSET_NODE_PARAMS_v2* given, AnyParameters& result);
Error parameters_from(const CUDA_HOST_NODE_PARAMS* given, AnyParameters& result);
Error parameters_from(const CUDA_HOST_NODE_PARAMS_v2* given, AnyParameters& result);

// What the node does.
void tell(const GraphNode& node, const KernelNode& kernel, CUDA_KERNEL_NODE_PARAMS_v2& result);
void tell(const GraphNode& node, const CopyRequest& copy, CUDA_MEMCPY3D& result);
void tell(const GraphNode& node, const FillRequest& fill, CUDA_MEMSET_NODE_PARAMS& result);
void tell(const GraphNode& node, const HostNode& host, CUDA_HOST_NODE_PARAMS& result);

}  // namespace tmaemu::runtime
