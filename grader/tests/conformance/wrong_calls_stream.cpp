// Wrong calls of the runtime: streams, events, capture, host functions and graphs.
#include <array>
#include <utility>

#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

void do_nothing(void*) {}
void do_nothing_on(cudaStream_t, cudaError_t, void*) {}

}  // namespace

std::vector<WrongCall> wrong_stream_calls() {
  return {
      WRONG_CALL(cudaStreamCreate(nullptr)),
      WRONG_CALL(cudaStreamCreateWithFlags(nullptr, 0)),
      WRONG_CALL(cudaStreamCreateWithFlags(&t.new_s, 2)),
      WRONG_CALL(cudaStreamCreateWithFlags(&t.new_s, 99)),
      WRONG_CALL(cudaStreamCreateWithPriority(nullptr, 0, 0)),
      WRONG_CALL(cudaStreamCreateWithPriority(&t.new_s, 99, 0)),
      WRONG_CALL(cudaStreamCreateWithPriority(&t.new_s, 0, 1000)),
      WRONG_CALL(cudaStreamDestroy(nullptr)),
      WRONG_CALL(cudaStreamDestroy(cudaStreamLegacy)),
      WRONG_CALL(cudaStreamDestroy(cudaStreamPerThread)),
      WRONG_CALL(cudaStreamGetFlags(t.s, nullptr)),
      WRONG_CALL(cudaStreamGetPriority(t.s, nullptr)),
      WRONG_CALL(cudaStreamGetId(t.s, nullptr)),
      WRONG_CALL(cudaStreamGetDevice(t.s, nullptr)),
      WRONG_CALL(cudaStreamWaitEvent(t.s, nullptr, 0)),
      WRONG_CALL(cudaStreamWaitEvent(t.s, t.e, 99)),
      WRONG_CALL(cudaStreamWaitEvent(nullptr, nullptr, 0)),
      WRONG_CALL(cudaLaunchHostFunc(t.s, nullptr, nullptr)),
      WRONG_CALL(cudaLaunchHostFunc(nullptr, nullptr, nullptr)),
      WRONG_CALL(cudaStreamAddCallback(t.s, nullptr, nullptr, 0)),
      WRONG_CALL(cudaStreamAddCallback(t.s, do_nothing_on, nullptr, 1)),
      WRONG_CALL(cudaStreamGetAttribute(t.s, cudaStreamAttributePriority, nullptr)),
      WRONG_CALL(cudaStreamSetAttribute(t.s, cudaStreamAttributeSynchronizationPolicy, nullptr)),
      WRONG_CALL([&] {
        cudaStreamAttrValue v{};
        return cudaStreamGetAttribute(t.s, static_cast<cudaStreamAttrID>(99), &v);
      }()),
      WRONG_CALL([&] {
        cudaStreamAttrValue v{};
        return cudaStreamSetAttribute(t.s, static_cast<cudaStreamAttrID>(99), &v);
      }()),
      WRONG_CALL(cudaStreamAttachMemAsync(t.s, nullptr, 0, cudaMemAttachGlobal)),
      WRONG_CALL(cudaStreamAttachMemAsync(t.s, t.d, 0, cudaMemAttachGlobal)),
      WRONG_CALL(cudaEventCreate(nullptr)),
      WRONG_CALL(cudaEventCreateWithFlags(nullptr, 0)),
      WRONG_CALL(cudaEventCreateWithFlags(&t.new_e, 8)),
      WRONG_CALL(cudaEventCreateWithFlags(&t.new_e, 77)),
      WRONG_CALL(cudaEventCreateWithFlags(&t.new_e, cudaEventInterprocess)),
      WRONG_CALL(cudaEventDestroy(nullptr)),
      WRONG_CALL(cudaEventRecord(nullptr, t.s)),
      WRONG_CALL(cudaEventRecordWithFlags(nullptr, t.s, 0)),
      WRONG_CALL(cudaEventRecordWithFlags(t.e, t.s, 99)),
      WRONG_CALL(cudaEventRecordWithFlags(t.e, t.s, cudaEventRecordExternal)),
      WRONG_CALL(cudaEventQuery(nullptr)),
      WRONG_CALL(cudaEventSynchronize(nullptr)),
      WRONG_CALL(cudaEventElapsedTime(nullptr, t.e, t.e2)),
      WRONG_CALL(cudaEventElapsedTime(&t.ms, nullptr, t.e2)),
      WRONG_CALL(cudaEventElapsedTime(&t.ms, t.e, nullptr)),
      WRONG_CALL(cudaEventElapsedTime(nullptr, nullptr, nullptr)),
      WRONG_CALL((cudaEventCreate(&t.new_e), cudaEventElapsedTime(&t.ms, t.e, t.new_e))),
      WRONG_CALL((cudaEventCreate(&t.new_e), cudaEventElapsedTime(&t.ms, t.new_e, t.e))),
      WRONG_CALL((cudaEventCreate(&t.new_e), cudaEventQuery(t.new_e))),
      WRONG_CALL((cudaEventCreate(&t.new_e), cudaEventSynchronize(t.new_e))),
      WRONG_CALL((cudaEventCreateWithFlags(&t.new_e, cudaEventDisableTiming),
                  cudaEventRecord(t.new_e, t.s), cudaEventElapsedTime(&t.ms, t.e, t.new_e))),
      WRONG_CALL(in_host_function(t, [&] { return cudaMalloc(&t.q, 16); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaFree(nullptr); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaDeviceSynchronize(); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaStreamCreate(&t.new_s); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaStreamQuery(t.s); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaEventQuery(t.e); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaEventRecord(t.e); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaMemset(t.d, 0, 4); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaMemcpy(t.d, t.h, 4, cudaMemcpyDefault); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaGetDevice(&t.n); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaGetDeviceCount(&t.n); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaRuntimeGetVersion(&t.n); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaMallocHost(&t.q, 16); })),
      WRONG_CALL(in_host_function(
          t, [&] { return cudaDeviceGetAttribute(&t.n, cudaDevAttrWarpSize, 0); })),
      WRONG_CALL(in_host_function(t, [&] { return cudaLaunchHostFunc(t.s, do_nothing, nullptr); })),
      WRONG_CALL(in_host_function(t, [&] { return cuMemAlloc(&t.new_dp, 16); })),
      WRONG_CALL(in_host_function(t, [&] { return cuCtxSynchronize(); })),
      WRONG_CALL(in_forked_child([&] { return cudaMalloc(&t.q, 16); })),
      WRONG_CALL(in_forked_child([&] { return cudaFree(nullptr); })),
      WRONG_CALL(in_forked_child([&] { return cudaDeviceSynchronize(); })),
      WRONG_CALL(in_forked_child([&] { return cudaGetDeviceCount(&t.n); })),
      WRONG_CALL(in_forked_child([&] { return cudaGetDevice(&t.n); })),
      WRONG_CALL(in_forked_child([&] { return cudaSetDevice(0); })),
      WRONG_CALL(in_forked_child([&] { return cudaGetLastError(); })),
      WRONG_CALL(in_forked_child([&] { return cuInit(0); })),
      WRONG_CALL(in_forked_child([&] { return cuMemAlloc(&t.new_dp, 16); })),
  };
}

std::vector<WrongCall> wrong_capture_calls() {
  return {
      WRONG_CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal)),
      WRONG_CALL(cudaStreamBeginCapture(t.s, static_cast<cudaStreamCaptureMode>(9))),
      WRONG_CALL(cudaStreamEndCapture(t.s, &t.new_g)),
      WRONG_CALL(cudaStreamEndCapture(t.s, nullptr)),
      WRONG_CALL(cudaStreamEndCapture(nullptr, &t.new_g)),
      WRONG_CALL(cudaStreamIsCapturing(t.s, nullptr)),
      WRONG_CALL(cudaThreadExchangeStreamCaptureMode(nullptr)),
      WRONG_CALL(while_capturing(
          t, [&] { return cudaStreamBeginCapture(t.s, cudaStreamCaptureModeGlobal); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamEndCapture(t.s, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMalloc(&t.q, 16); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaFree(nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaFree(std::exchange(t.d, nullptr)); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMallocHost(&t.q, 16); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMallocManaged(&t.q, 16); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMallocPitch(&t.q, &t.z, 16, 16); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaHostRegister(t.h, 64, 0); })),
      WRONG_CALL(
          while_capturing(t, [&] { return cudaFreeHost(std::exchange(t.pinned, nullptr)); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMemGetInfo(&t.z, &t.z2); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaDeviceSynchronize(); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamSynchronize(t.s); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamSynchronize(nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamQuery(t.s); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamQuery(nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaStreamCreate(&t.new_s); })),
      WRONG_CALL(
          while_capturing(t, [&] { return cudaStreamDestroy(std::exchange(t.s, nullptr)); })),
      WRONG_CALL(while_capturing(
          t, [&] { return cudaStreamAddCallback(t.s, do_nothing_on, nullptr, 0); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaLaunchHostFunc(t.s, do_nothing, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaEventQuery(t.e); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaEventSynchronize(t.e); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaEventRecord(t.e, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaEventElapsedTime(&t.ms, t.e, t.e2); })),
      WRONG_CALL(while_capturing(t,
                                 [&] {
                                   cudaEventRecord(t.e, t.s);
                                   return cudaEventQuery(t.e);
                                 })),
      WRONG_CALL(while_capturing(t,
                                 [&] {
                                   cudaEventRecord(t.e, t.s);
                                   return cudaEventSynchronize(t.e);
                                 })),
      WRONG_CALL(while_capturing(t,
                                 [&] {
                                   cudaEventRecord(t.e, t.s);
                                   return cudaEventElapsedTime(&t.ms, t.e, t.e2);
                                 })),
      WRONG_CALL(while_capturing(t, [&] { return cudaEventCreate(&t.new_e); })),
      WRONG_CALL(
          while_capturing(t, [&] { return cudaMemcpy(t.h, t.d, 4, cudaMemcpyDeviceToHost); })),
      WRONG_CALL(while_capturing(
          t, [&] { return cudaMemcpyAsync(t.h, t.d, 4, cudaMemcpyDeviceToHost, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMemset(t.d, 0, 4); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMemsetAsync(t.d, 0, 4, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaMemcpyToSymbol(kernels.symbol, t.h, 4); })),
      WRONG_CALL(while_capturing(
          t, [&] { return run_kernel(kernels.store, 1, 1, std::array<void*, 1>{&t.d}.data()); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaGetDeviceProperties(&t.properties, 0); })),
      WRONG_CALL(while_capturing(t,
                                 [&] {
                                   return cudaFuncSetAttribute(
                                       kernels.shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       65536);
                                 })),
      WRONG_CALL(while_capturing(t, [&] { return cudaGraphLaunch(t.exec, t.s); })),
      WRONG_CALL(while_capturing(t, [&] { return cudaGraphLaunch(t.exec, nullptr); })),
      WRONG_CALL(while_capturing(t, [&] { return cuMemAlloc(&t.new_dp, 16); })),
      WRONG_CALL(while_capturing(t, [&] { return cuCtxSynchronize(); })),
      WRONG_CALL(capture_after(t, [&] { return cudaMalloc(&t.q, 16); })),
      WRONG_CALL(capture_after(t, [&] { return cudaFree(nullptr); })),
      WRONG_CALL(capture_after(t, [&] { return cudaMallocHost(&t.q, 16); })),
      WRONG_CALL(capture_after(t, [&] { return cudaDeviceSynchronize(); })),
      WRONG_CALL(capture_after(t, [&] { return cudaStreamSynchronize(t.s); })),
      WRONG_CALL(capture_after(t, [&] { return cudaStreamQuery(t.s); })),
      WRONG_CALL(capture_after(t, [&] { return cudaEventQuery(t.e); })),
      WRONG_CALL(capture_after(t, [&] { return cudaEventSynchronize(t.e); })),
      WRONG_CALL(capture_after(t, [&] { return cudaMemcpy(t.h, t.d, 4, cudaMemcpyDeviceToHost); })),
      WRONG_CALL(capture_after(t, [&] { return cudaMemset(t.d, 0, 4); })),
      WRONG_CALL(capture_after(t, [&] { return cudaMemGetInfo(&t.z, &t.z2); })),
      WRONG_CALL(capture_after(
          t, [&] { return cudaStreamBeginCapture(t.s, cudaStreamCaptureModeGlobal); })),
      WRONG_CALL(capture_after(t, [&] { return cudaStreamCreate(&t.new_s); })),
      WRONG_CALL(capture_after(t,
                               [&] {
                                 cudaStreamCreate(&t.new_s);
                                 cudaEventRecord(t.e, t.s);
                                 return cudaStreamWaitEvent(t.new_s, t.e, 0);
                               })),
      WRONG_CALL(capture_after(t,
                               [&] {
                                 cudaStreamCreate(&t.new_s);
                                 cudaEventRecord(t.e, t.s);
                                 cudaStreamWaitEvent(t.new_s, t.e, 0);
                                 return cudaLaunchHostFunc(t.new_s, do_nothing, nullptr);
                               })),
      WRONG_CALL(capture_after(t, [&] { return cudaLaunchHostFunc(t.s, nullptr, nullptr); })),
      WRONG_CALL(capture_after(
          t, [&] { return cudaMemcpyAsync(nullptr, t.d, 4, cudaMemcpyDeviceToHost, t.s); })),
  };
}

std::vector<WrongCall> wrong_graph_calls() {
  return {
      WRONG_CALL(cudaGraphCreate(nullptr, 0)),
      WRONG_CALL(cudaGraphCreate(&t.new_g, 5)),
      WRONG_CALL(cudaGraphDestroy(nullptr)),
      WRONG_CALL(cudaGraphClone(nullptr, t.g)),
      WRONG_CALL(cudaGraphClone(&t.new_g, nullptr)),
      WRONG_CALL(cudaGraphInstantiate(nullptr, t.g, 0)),
      WRONG_CALL(cudaGraphInstantiate(&t.new_exec, nullptr, 0)),
      WRONG_CALL(cudaGraphInstantiate(&t.new_exec, t.g, 1000)),
      WRONG_CALL(cudaGraphInstantiateWithFlags(nullptr, t.g, 0)),
      WRONG_CALL(cudaGraphExecDestroy(nullptr)),
      WRONG_CALL(cudaGraphExecGetFlags(t.exec, nullptr)),
      WRONG_CALL(cudaGraphExecGetFlags(nullptr, &t.id)),
      WRONG_CALL(cudaGraphLaunch(nullptr, t.s)),
      WRONG_CALL(cudaGraphUpload(nullptr, t.s)),
      WRONG_CALL(cudaGraphAddEmptyNode(nullptr, t.g, nullptr, 0)),
      WRONG_CALL(cudaGraphAddEmptyNode(&t.new_node, nullptr, nullptr, 0)),
      WRONG_CALL(cudaGraphAddEmptyNode(&t.new_node, t.g, nullptr, 3)),
      WRONG_CALL(
          (cudaGraphCreate(&t.new_g, 0), cudaGraphAddEmptyNode(&t.new_node, t.new_g, &t.node, 1))),
      WRONG_CALL(cudaGraphAddKernelNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL([&] {
        cudaKernelNodeParams p{};
        return cudaGraphAddKernelNode(&t.new_node, t.g, nullptr, 0, &p);
      }()),
      WRONG_CALL([&] {
        cudaKernelNodeParams p{};
        p.func = const_cast<void*>(kernels.store);
        p.gridDim = p.blockDim = dim3(1);
        return cudaGraphAddKernelNode(&t.new_node, t.g, nullptr, 0, &p);
      }()),
      WRONG_CALL(cudaGraphAddMemcpyNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL(cudaGraphAddMemcpyNode1D(&t.new_node, t.g, nullptr, 0, nullptr, t.d, 4,
                                          cudaMemcpyDefault)),
      WRONG_CALL(
          cudaGraphAddMemcpyNode1D(nullptr, t.g, nullptr, 0, t.h, t.d, 4, cudaMemcpyDefault)),
      WRONG_CALL(cudaGraphAddMemsetNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL([&] {
        cudaMemsetParams p{};
        return cudaGraphAddMemsetNode(&t.new_node, t.g, nullptr, 0, &p);
      }()),
      WRONG_CALL([&] {
        cudaMemsetParams p{};
        p.dst = t.d;
        p.elementSize = 3;
        p.width = p.height = 1;
        return cudaGraphAddMemsetNode(&t.new_node, t.g, nullptr, 0, &p);
      }()),
      WRONG_CALL(cudaGraphAddHostNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL([&] {
        cudaHostNodeParams p{};
        return cudaGraphAddHostNode(&t.new_node, t.g, nullptr, 0, &p);
      }()),
      WRONG_CALL(cudaGraphAddChildGraphNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL(cudaGraphAddEventRecordNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL(cudaGraphAddEventWaitNode(&t.new_node, t.g, nullptr, 0, nullptr)),
      WRONG_CALL(cudaGraphGetNodes(t.g, nullptr, nullptr)),
      WRONG_CALL(cudaGraphGetNodes(nullptr, nullptr, &t.z)),
      WRONG_CALL(cudaGraphGetRootNodes(t.g, nullptr, nullptr)),
      WRONG_CALL(cudaGraphNodeGetType(t.node, nullptr)),
      WRONG_CALL(cudaGraphNodeGetType(nullptr, nullptr)),
      WRONG_CALL(cudaGraphDestroyNode(nullptr)),
  };
}

}  // namespace conformance
