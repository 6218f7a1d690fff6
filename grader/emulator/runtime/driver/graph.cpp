// CUDA Driver API, "Graph Management": capture of streams, and launches of what was captured.
#include "emulator/runtime/state/graph.h"

#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;

// Its newest form has a number that depends on the toolkit.
#undef cuGraphInstantiate

extern "C" {

CUresult cuStreamBeginCapture(CUstream handle, CUstreamCaptureMode mode) {
  return call_on(handle, [&](Stream& stream) {
    return Streams::instance().begin_capture(stream, static_cast<CaptureMode>(mode), nullptr, {});
  });
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

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph handle,
                                     unsigned long long flags) {
  return call([&] {
    if (any_null(executable)) return Error::invalid_value;
    const Graph* graph = Graphs::instance().graphs.find(handle);
    if (graph == nullptr) return Error::invalid_value;
    ExecutableGraph* result = nullptr;
    const Error error = instantiate(*graph, flags, result);
    *executable = reinterpret_cast<CUgraphExec>(result);
    return error;
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
