// CUDA Runtime API, "Graph Management": other parameters for what nodes do, in graphs and in
// executable graphs. Launches that have been submitted keep what they had.
#include <cuda_runtime_api.h>

#include <utility>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"
#include "emulator/runtime/cudart/graph_work.h"

using namespace tmaemu::runtime;

namespace {

// Gives a node of the kind what `make(work)` makes.
template <class Node, class Make>
Error set(Node* node, NodeKind kind, Make&& make) {
  if (node == nullptr || node->kind != kind) return Error::invalid_value;
  Work work;
  const Error error = make(work);
  if (error == Error::success) node->work = std::move(work);
  return error;
}

// Of a graph's node.
template <class Make>
cudaError_t set_in_graph(cudaGraphNode_t node, NodeKind kind, Make&& make) {
  return call([&] { return set(node_of(node), kind, std::forward<Make>(make)); });
}

// Of the node of an executable graph that was made from this one, which stays as it is.
template <class Make>
cudaError_t set_in_executable(cudaGraphExec_t handle, cudaGraphNode_t node, NodeKind kind,
                              Make&& make) {
  return call([&] {
    ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    if (executable == nullptr || node == nullptr) return Error::invalid_value;
    return set(executable->find(node_of(node)), kind, std::forward<Make>(make));
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return set_in_graph(node, NodeKind::kernel,
                      [&](Work& work) { return kernel_work(parameters, work); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set_in_graph(node, NodeKind::memcpy,
                      [&](Work& work) { return copy_work(parameters, work); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t size, cudaMemcpyKind kind) {
  return set_in_graph(node, NodeKind::memcpy,
                      [&](Work& work) { return copy_work(destination, source, size, kind, work); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_in_graph(node, NodeKind::memset,
                      [&](Work& work) { return fill_work(parameters, work); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_in_graph(node, NodeKind::host,
                      [&](Work& work) { return host_work(parameters, work); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_in_executable(executable, node, NodeKind::kernel,
                           [&](Work& work) { return kernel_work(parameters, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_in_executable(executable, node, NodeKind::memcpy,
                           [&](Work& work) { return copy_work(parameters, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t size,
                                               cudaMemcpyKind kind) {
  return set_in_executable(executable, node, NodeKind::memcpy, [&](Work& work) {
    return copy_work(destination, source, size, kind, work);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_in_executable(executable, node, NodeKind::memset,
                           [&](Work& work) { return fill_work(parameters, work); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_in_executable(executable, node, NodeKind::host,
                           [&](Work& work) { return host_work(parameters, work); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* info) {
  return call([&] {
    ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    const Graph* graph = Graphs::instance().graphs.find(graph_handle);
    if (executable == nullptr || graph == nullptr || any_null(info)) return Error::invalid_value;
    const GraphNode* culprit = nullptr;
    const UpdateResult result = update(*executable, *graph, culprit);
    *info = {};
    info->result = static_cast<cudaGraphExecUpdateResult>(result);
    info->errorNode = handle_of(const_cast<GraphNode*>(culprit));
    return result == UpdateResult::success ? Error::success : Error::graph_update_failure;
  });
}

}  // extern "C"
