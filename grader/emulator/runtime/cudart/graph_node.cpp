// CUDA Runtime API, "Graph Management": nodes made one by one.
#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"
#include "emulator/runtime/cudart/graph_work.h"
#include "emulator/runtime/state/event.h"

using namespace tmaemu::runtime;

namespace {

// `make(work)` says what the node is to do.
template <class Make>
cudaError_t add_working(cudaGraphNode_t* node, const NodePlace& place, NodeKind kind, Make&& make) {
  return call([&] {
    Work work;
    const Error error = make(work);
    return error == Error::success ? add_node(node, place, kind, std::move(work)) : error;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return call([&] { return add_node(node, {graph, dependencies, count}, NodeKind::empty, {}); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_working(node, {graph, dependencies, count}, NodeKind::kernel,
                     [&](Work& work) { return kernel_work(parameters, work); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t size,
                                     cudaMemcpyKind kind) {
  return add_working(node, {graph, dependencies, count}, NodeKind::memcpy,
                     [&](Work& work) { return copy_work(destination, source, size, kind, work); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_working(node, {graph, dependencies, count}, NodeKind::memcpy,
                     [&](Work& work) { return copy_work(parameters, work); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_working(node, {graph, dependencies, count}, NodeKind::memset,
                     [&](Work& work) { return fill_work(parameters, work); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_working(node, {graph, dependencies, count}, NodeKind::host,
                     [&](Work& work) { return host_work(parameters, work); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t handle) {
  return call([&] {
    Event* event = Events::instance().events.find(handle);
    if (event == nullptr) return Error::invalid_value;
    return add_node(node, {graph, dependencies, count}, NodeKind::event_record,
                    record_work(*event));
  });
}

// The work before a recorded event is always done: there is nothing to wait for.
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t handle) {
  return call([&] {
    if (Events::instance().events.find(handle) == nullptr) return Error::invalid_value;
    return add_node(node, {graph, dependencies, count}, NodeKind::wait_event, {});
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return call([&] {
    const Graph* inner = Graphs::instance().graphs.find(child);
    std::vector<OrderedNode> nodes;
    if (inner == nullptr || inner->order(nodes) != Error::success) return Error::invalid_value;
    if (inner->has_memory_nodes()) return Error::not_supported;
    return add_node(node, {graph, dependencies, count}, NodeKind::graph, run_all(std::move(nodes)));
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
    if (node->graph->has_memory_nodes()) return Error::not_supported;
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
