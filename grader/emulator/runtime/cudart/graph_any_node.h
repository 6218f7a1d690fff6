// cudaGraphNodeParams: one structure for nodes of every kind. The calls that take it differ between
// CUDA 12 and 13 in whether they take edge data, too.
#pragma once

#include <driver_types.h>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph_calls.h"

namespace tmaemu::runtime {

// `parameters` gets what the node has made: the memory of an allocation, the bodies of a condition.
Error add_any_node(const NodePlace& place, cudaGraphNodeParams* parameters);

}  // namespace tmaemu::runtime
