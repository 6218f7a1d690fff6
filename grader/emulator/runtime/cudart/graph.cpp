// CUDA Runtime API, "Graph Management" and stream capture.
#include <cuda_runtime_api.h>

#include <utility>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/graph_calls.h"
#include "emulator/runtime/state/graph_condition.h"
#include "emulator/runtime/state/graph_memory.h"

using namespace tmaemu::runtime;

namespace {

cudaGraph_t handle_of(Graph* graph) {
  return reinterpret_cast<cudaGraph_t>(graph);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call_on(handle, [&](Stream& stream) {
    return Streams::instance().begin_capture(stream, static_cast<CaptureMode>(mode), nullptr, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return call_on(handle, [&](Stream& stream) {
    return begin_capture_to(stream, graph_handle, node_list(dependencies), count,
                            static_cast<CaptureMode>(mode));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph_handle) {
  return call_on(handle, [&](Stream& stream) {
    Graph* graph = nullptr;
    const Error error = Streams::instance().end_capture(stream, graph);
    if (graph_handle != nullptr) *graph_handle = handle_of(graph);
    return error;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(status)) return Error::invalid_value;
    const CaptureStatus now = stream.capture ? stream.capture->status : CaptureStatus::none;
    *status = static_cast<cudaStreamCaptureStatus>(now);
    return Error::success;
  });
}

// Modes say which unsafe calls of which threads are refused while a stream captures.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call([&] {
    if (any_null(mode)) return Error::invalid_value;
    const auto wanted = static_cast<CaptureMode>(*mode);
    *mode = static_cast<cudaStreamCaptureMode>(std::exchange(thread_capture_mode(), wanted));
    return Error::success;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] {
    if (any_null(graph)) return Error::invalid_value;
    if (flags != 0) return Error::invalid_value;
    *graph = handle_of(Graphs::instance().graphs.add(std::make_unique<Graph>()));
    return Error::success;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&] {
    return Graphs::instance().graphs.remove(graph) ? Error::success : Error::invalid_value;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return call([&] {
    if (any_null(copy)) return Error::invalid_value;
    Graph* made = nullptr;
    const Error error = clone_graph(original, made);
    if (error == Error::success) *copy = handle_of(made);
    return error;
  });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* condition,
                                             cudaGraph_t handle, unsigned initial, unsigned flags) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    if (graph == nullptr || any_null(condition)) return Error::invalid_value;
    std::uint64_t made = 0;
    const Error error = create_condition(*graph, initial, flags, made);
    if (error == Error::success) *condition = made;
    return error;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return call([&] { return instantiate_graph(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return call([&] { return instantiate_graph(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    const Error error = instantiate_graph(executable, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out = error == Error::success ? cudaGraphInstantiateSuccess
                                                     : cudaGraphInstantiateInvalidStructure;
    return error;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    const ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    if (executable == nullptr) return Error::invalid_value;
    *flags = executable->flags;
    return Error::success;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call([&] {
    return Graphs::instance().executables.remove(handle) ? Error::success : Error::invalid_value;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t handle) {
  return call_on(handle, [&](Stream&) {
    const ExecutableGraph* known = Graphs::instance().executables.find(executable);
    if (known == nullptr) return Error::invalid_value;
    GraphMemory::instance().upload(known->allocations);
    return Error::success;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return call_on(stream_handle, [&](Stream& stream) {
    ExecutableGraph* executable = Graphs::instance().executables.find(handle);
    return executable == nullptr ? Error::invalid_value : launch(*executable, stream);
  });
}

}  // extern "C"
