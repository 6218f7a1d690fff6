// CUDA Driver API, "Graph Management": capture of streams, and graphs as a whole.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/graph_calls.h"
#include "emulator/runtime/state/graph_condition.h"
#include "emulator/runtime/state/graph_memory.h"

using namespace tmaemu::runtime;

// Its newest form has a number that depends on the toolkit.
#undef cuGraphInstantiate

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
  return call_on(handle, [&](Stream& stream) {
    return Streams::instance().begin_capture(stream, static_cast<CaptureMode>(mode), nullptr, {});
  });
}

CUresult cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData*,
                                     size_t count, CUstreamCaptureMode mode) {
  return call_on(handle, [&](Stream& stream) {
    return begin_capture_to(stream, graph, node_list(dependencies), count,
                            static_cast<CaptureMode>(mode));
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
  return call([&] { return tell_capture(stream, status, id, graph, dependencies, edges, count); });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* nodes,
                                              const CUgraphEdgeData*, size_t count,
                                              unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, node_list(nodes), count, flags); });
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph* graph_handle) {
  return call_on(handle, [&](Stream& stream) {
    Graph* graph = nullptr;
    const Error error = Streams::instance().end_capture(stream, graph);
    if (graph_handle != nullptr) *graph_handle = reinterpret_cast<CUgraph>(graph);
    return error;
  });
}

// Modes say which unsafe calls of which threads are refused while a stream captures.
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return call([&] {
    if (any_null(mode)) return Error::invalid_value;
    const auto wanted = static_cast<CaptureMode>(*mode);
    *mode = static_cast<CUstreamCaptureMode>(std::exchange(thread_capture_mode(), wanted));
    return Error::success;
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return call([&] {
    if (any_null(graph)) return Error::invalid_value;
    if (flags != 0) return Error::invalid_value;
    *graph = reinterpret_cast<CUgraph>(Graphs::instance().graphs.add(std::make_unique<Graph>()));
    return Error::success;
  });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return call([&] {
    return Graphs::instance().graphs.remove(graph) ? Error::success : Error::invalid_value;
  });
}

CUresult cuGraphClone(CUgraph* copy, CUgraph original) {
  return call([&] {
    if (any_null(copy)) return Error::invalid_value;
    Graph* made = nullptr;
    const Error error = clone_graph(original, made);
    if (error == Error::success) *copy = reinterpret_cast<CUgraph>(made);
    return error;
  });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* condition, CUgraph handle,
                                        CUcontext, unsigned initial, unsigned flags) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    if (graph == nullptr || any_null(condition)) return Error::invalid_value;
    std::uint64_t made = 0;
    const Error error = create_condition(*graph, initial, flags, made);
    if (error == Error::success) *condition = made;
    return error;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return call([&] { return instantiate_graph(executable, graph, flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    const Error error = instantiate_graph(executable, graph, parameters->flags);
    parameters->hErrNode_out = nullptr;
    parameters->result_out = error == Error::success ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                                                     : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    return error;
  });
}

CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    const ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    if (executable == nullptr) return Error::invalid_value;
    *flags = executable->flags;
    return Error::success;
  });
}

CUresult cuGraphUpload(CUgraphExec handle, CUstream stream) {
  return call_on(stream, [&](Stream&) {
    const ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    if (executable == nullptr) return Error::invalid_value;
    GraphMemory::instance().upload(executable->allocations);
    return Error::success;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return call([&] {
    return Graphs::instance().executables.remove(executable) ? Error::success
                                                             : Error::invalid_value;
  });
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  return call_on(stream_handle, [&](Stream& stream) {
    ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    return executable == nullptr ? Error::invalid_value : launch(*executable, stream);
  });
}

}  // extern "C"
