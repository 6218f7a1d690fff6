// What nodes of a graph do, as programs give it and ask for it.
#pragma once

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/launch.h"

namespace tmaemu::runtime {

struct Event;

struct KernelNode {
  Function* function = nullptr;
  LaunchConfiguration configuration;
  std::vector<std::byte> block;               // the parameters, packed
  std::vector<LaunchAttribute> attributes{};  // that were set for the node by themselves
};

struct HostNode {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};

using AnyParameters = std::variant<KernelNode, CopyRequest, FillRequest, HostNode, Event*>;

struct NodeParameters {
  explicit NodeParameters(AnyParameters what);
  AnyParameters any;
  // Of a kernel, the list of pointers that it is launched with: programs may ask for it, and it
  // stands as long as the node has these parameters.
  mutable std::vector<void*> arguments;
};

// Each gives `result` where what it is made from is good.
Error make_kernel_node(Function& function, const LaunchConfiguration& configuration,
                       void* const* arguments, void* const* extra, AnyParameters& result);
// Of cudaMemsetParams, CUDA_MEMSET_NODE_PARAMS, or a later version of them, `destination` by
// itself.
template <class Parameters>
Error make_memset_node(const Parameters& given, void* destination, AnyParameters& result) {
  const unsigned element = given.elementSize;
  if (destination == nullptr || (element != 1 && element != 2 && element != 4)) {
    return Error::invalid_value;
  }
  result = FillRequest{"memset node",
                       {destination, given.pitch, 0},
                       {given.width, given.height, 1},
                       given.value,
                       element};
  return Error::success;
}
Error make_host_node(void (*function)(void*), void* data, AnyParameters& result);

// What `parameters` say, as a node of the kind.
Work work_of(NodeKind kind, const AnyParameters& parameters);
// The node's parameters of this type; null where it has others or none.
template <class Parameters>
const Parameters* parameters_of(const GraphNode& node) {
  return node.parameters == nullptr ? nullptr : std::get_if<Parameters>(&node.parameters->any);
}

// The node does what the parameters say from now on.
void give(GraphNode& node, AnyParameters parameters);

// What the node does that the stream has captured last, for who asks.
void note_captured(Stream& stream, AnyParameters parameters);
// Runs a host function in stream order.
Error submit_host_function(Stream& stream, const HostNode& host);

// The attributes of a kernel node. CUDA Runtime API, cudaLaunchAttribute.
Error set_attribute(GraphNode& node, const LaunchAttribute& attribute);
Error get_attribute(const GraphNode& node, LaunchAttribute& attribute);
Error copy_attributes(GraphNode& destination, const GraphNode& source);

}  // namespace tmaemu::runtime
