// CUDA Runtime API, "Graph Management": nodes made one by one.
#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"
#include "emulator/runtime/cudart/volume_copy.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/module.h"

using namespace tmaemu::runtime;

namespace {

// Where the node is to be made.
struct Place {
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};

Error add(cudaGraphNode_t* handle, const Place& place, NodeKind kind, Work work) {
  Graph* graph = Graphs::instance().graphs.find(place.graph);
  if (graph == nullptr) return Error::invalid_value;
  if (any_null(handle) || (place.count != 0 && any_null(place.dependencies))) {
    return Error::invalid_value;
  }
  std::vector<GraphNode*> dependencies = nodes_of(place.dependencies, place.count);
  for (const GraphNode* node : dependencies) {
    if (!graph->contains(node)) return Error::invalid_value;
  }
  *handle = handle_of(graph->add(kind, std::move(work), std::move(dependencies)));
  return Error::success;
}

// Graph work that a stream call would do: the default stream captures nothing, so it runs at once.
Work copy_work(const CopyRequest& request) {
  return [request] { return copy_async(request, default_stream()); };
}

Error kernel_work(const cudaKernelNodeParams& parameters, Work& work) {
  Function* function = Registry::instance().find_function(parameters.func);
  if (function == nullptr) return Error::invalid_device_function;
  if (const Error error = function->resolve(); error != Error::success) return error;
  if (parameters.kernelParams == nullptr && parameters.extra != nullptr) {
    return not_modeled("a kernel node with packed parameters (extra)");
  }
  if (parameters_missing(function->kernel->info(), parameters.kernelParams)) {
    return Error::invalid_value;
  }
  LaunchConfiguration configuration;
  configuration.grid = {parameters.gridDim.x, parameters.gridDim.y, parameters.gridDim.z};
  configuration.block = {parameters.blockDim.x, parameters.blockDim.y, parameters.blockDim.z};
  configuration.dynamic_shared_bytes = parameters.sharedMemBytes;
  configuration.stream = &default_stream();
  work = [function, configuration,
          block = pack_parameters(function->kernel->info(), parameters.kernelParams)] {
    return launch(*function, configuration, block);
  };
  return Error::success;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return call([&] { return add(node, {graph, dependencies, count}, NodeKind::empty, {}); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    Work work;
    const Error error = kernel_work(*parameters, work);
    if (error != Error::success) return error;
    return add(node, {graph, dependencies, count}, NodeKind::kernel, std::move(work));
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t size,
                                     cudaMemcpyKind kind) {
  return call([&] {
    if (any_null(destination, source)) return Error::invalid_value;
    const CopyRequest request =
        linear_copy("memcpy node", destination, source, size, static_cast<CopyKind>(kind));
    return add(node, {graph, dependencies, count}, NodeKind::memcpy, copy_work(request));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    CopyRequest request;
    const Error error = volume_copy("memcpy node", *parameters, request);
    if (error != Error::success) return error;
    return add(node, {graph, dependencies, count}, NodeKind::memcpy, copy_work(request));
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    const unsigned element = parameters->elementSize;
    if (parameters->dst == nullptr || (element != 1 && element != 2 && element != 4)) {
      return Error::invalid_value;
    }
    const FillRequest request{"memset node",
                              {parameters->dst, parameters->pitch, 0},
                              {parameters->width, parameters->height, 1},
                              parameters->value,
                              parameters->elementSize};
    return add(node, {graph, dependencies, count}, NodeKind::memset,
               [request] { return fill(request, default_stream()); });
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    if (parameters->fn == nullptr) return Error::invalid_value;
    return add(node, {graph, dependencies, count}, NodeKind::host,
               host_function(parameters->fn, parameters->userData));
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t handle) {
  return call([&] {
    Event* event = Events::instance().events.find(handle);
    if (event == nullptr) return Error::invalid_value;
    return add(node, {graph, dependencies, count}, NodeKind::event_record, record_work(*event));
  });
}

// The work before a recorded event is always done: there is nothing to wait for.
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t handle) {
  return call([&] {
    if (Events::instance().events.find(handle) == nullptr) return Error::invalid_value;
    return add(node, {graph, dependencies, count}, NodeKind::wait_event, {});
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return call([&] {
    const Graph* inner = Graphs::instance().graphs.find(child);
    std::vector<OrderedNode> nodes;
    if (inner == nullptr || inner->order(nodes) != Error::success) return Error::invalid_value;
    return add(node, {graph, dependencies, count}, NodeKind::graph, run_all(std::move(nodes)));
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&] {
    if (any_null(node, type)) return Error::invalid_value;
    *type = static_cast<cudaGraphNodeType>(node_of(node)->kind);
    return Error::success;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    const GraphNode* node = node_of(handle);
    node->graph->remove(node);
    return Error::success;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] {
    if (any_null(count)) return Error::invalid_value;
    const Graph* graph = Graphs::instance().graphs.find(handle);
    if (graph == nullptr) return Error::invalid_value;
    if (nodes != nullptr) {
      for (size_t i = 0; i < *count; ++i) {
        nodes[i] = i < graph->nodes.size() ? handle_of(graph->nodes[i].get()) : nullptr;
      }
    }
    *count = graph->nodes.size();
    return Error::success;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] {
    if (any_null(count)) return Error::invalid_value;
    const Graph* graph = Graphs::instance().graphs.find(handle);
    if (graph == nullptr) return Error::invalid_value;
    std::vector<GraphNode*> roots;
    for (const auto& node : graph->nodes) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    if (nodes != nullptr) {
      for (size_t i = 0; i < *count; ++i) {
        nodes[i] = i < roots.size() ? handle_of(roots[i]) : nullptr;
      }
    }
    *count = roots.size();
    return Error::success;
  });
}

}  // extern "C"
