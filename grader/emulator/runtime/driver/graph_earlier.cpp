// CUDA Driver API, "Graph Management": the calls as programs for CUDA 12 and earlier make them,
// without edge data, and with kernels by CUfunction alone.
#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/graph_parameters.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

// cuda.h gives the newest forms these names.
#undef cuGraphAddDependencies
#undef cuGraphAddKernelNode
#undef cuGraphAddNode
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate
#undef cuGraphGetEdges
#undef cuGraphInstantiate
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphRemoveDependencies
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

namespace {

CUgraph* const no_graph = nullptr;
const CUgraphEdgeData** const no_edges = nullptr;

Error parameters_from_first(const CUDA_KERNEL_NODE_PARAMS_v1* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  CUDA_KERNEL_NODE_PARAMS_v2 later{};
  later.func = given->func;
  later.gridDimX = given->gridDimX;
  later.gridDimY = given->gridDimY;
  later.gridDimZ = given->gridDimZ;
  later.blockDimX = given->blockDimX;
  later.blockDimY = given->blockDimY;
  later.blockDimZ = given->blockDimZ;
  later.sharedMemBytes = given->sharedMemBytes;
  later.kernelParams = given->kernelParams;
  later.extra = given->extra;
  return parameters_from(&later, result);
}

}  // namespace

extern "C" {

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS_v1* given) {
  return call([&] {
    return add_working_node(
        {node_list(node), graph, node_list(dependencies), count}, NodeKind::kernel,
        [&](AnyParameters& result) { return parameters_from_first(given, result); });
  });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* given) {
  return call([&] {
    return set_parameters(node, NodeKind::kernel, [&](AnyParameters& result) {
      return parameters_from_first(given, result);
    });
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* given) {
  return call([&] {
    return set_parameters(executable, node, NodeKind::kernel, [&](AnyParameters& result) {
      return parameters_from_first(given, result);
    });
  });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* result) {
  if (any_null(result)) return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS_v2 later{};
  const CUresult answer = cuGraphKernelNodeGetParams_v2(node, &later);
  if (answer != CUDA_SUCCESS) return answer;
  *result = {later.func,         later.gridDimX,  later.gridDimY,  later.gridDimZ,
             later.blockDimX,    later.blockDimY, later.blockDimZ, later.sharedMemBytes,
             later.kernelParams, later.extra};
  return CUDA_SUCCESS;
}

// The text of what is wrong goes to stderr instead.
CUresult cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* culprit,
                               char* text, size_t size) {
  if (culprit != nullptr) *culprit = nullptr;
  if (text != nullptr && size != 0) *text = 0;
  return cuGraphInstantiateWithFlags(executable, graph, 0);
}

CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* culprit,
                            char* text, size_t size) {
  return cuGraphInstantiate_v2(executable, graph, culprit, text, size);
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode* culprit,
                           CUgraphExecUpdateResult* result) {
  if (any_null(result)) return CUDA_ERROR_INVALID_VALUE;
  CUgraphExecUpdateResultInfo info{};
  const CUresult answer = cuGraphExecUpdate_v2(executable, graph, &info);
  *result = info.result;
  if (culprit != nullptr) *culprit = info.errorNode;
  return answer;
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* parameters) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, dependents, nullptr, count);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return call(
      [&] { return tell_capture(stream, status, id, no_graph, nullptr, no_edges, nullptr); });
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   size_t* count) {
  return call(
      [&] { return tell_capture(stream, status, id, graph, dependencies, no_edges, count); });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, size_t count,
                                           unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count, flags);
}

CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

}  // extern "C"
