// CUDA Driver API, "Graph Management": edges.
#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

extern "C" {

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData*, size_t count) {
  return call([&] { return add_dependencies(graph, node_list(from), node_list(to), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData*, size_t count) {
  return call([&] { return remove_dependencies(graph, node_list(from), node_list(to), count); });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_edges(graph, node_list(from), node_list(to), edge_list(data), count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies,
                                       CUgraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_dependencies(node, node_list(dependencies), edge_list(data), count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents,
                                         CUgraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependents(node, node_list(dependents), edge_list(data), count); });
}

}  // extern "C"
