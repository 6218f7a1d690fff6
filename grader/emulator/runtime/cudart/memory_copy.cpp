// CUDA Runtime API, "Memory Management": copies between linear memories.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/volume_copy.h"
#include "emulator/runtime/state/copy.h"

using namespace tmaemu::runtime;

namespace {

CopyKind kind_of(cudaMemcpyKind kind) {
  return static_cast<CopyKind>(kind);
}

CopyRequest plane(const char* call_name, void* destination, size_t destination_pitch,
                  const void* source, size_t source_pitch, size_t width, size_t height,
                  cudaMemcpyKind kind) {
  return {call_name,
          {destination, destination_pitch, destination_pitch * height},
          {const_cast<void*>(source), source_pitch, source_pitch * height},
          {width, height, 1},
          kind_of(kind)};
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* destination, const void* source, size_t size, cudaMemcpyKind kind) {
  return call([&] {
    return copy(linear_copy("cudaMemcpy", destination, source, size, kind_of(kind)),
                default_stream());
  });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    return copy_async(linear_copy("cudaMemcpyAsync", destination, source, size, kind_of(kind)), on);
  });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t size) {
  return call([&] {
    if (destination_device != the_device || source_device != the_device) {
      return Error::invalid_device;
    }
    return copy(
        linear_copy("cudaMemcpyPeer", destination, source, size, CopyKind::device_to_device),
        default_stream());
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t size, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    if (destination_device != the_device || source_device != the_device) {
      return Error::invalid_device;
    }
    return copy_async(
        linear_copy("cudaMemcpyPeerAsync", destination, source, size, CopyKind::device_to_device),
        on);
  });
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return call([&] {
    return copy(plane("cudaMemcpy2D", destination, destination_pitch, source, source_pitch, width,
                      height, kind),
                default_stream());
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    return copy_async(plane("cudaMemcpy2DAsync", destination, destination_pitch, source,
                            source_pitch, width, height, kind),
                      on);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    CopyRequest request;
    const Error error = volume_copy("cudaMemcpy3D", *parameters, request);
    return error != Error::success ? error : copy(request, default_stream());
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    if (any_null(parameters)) return Error::invalid_value;
    CopyRequest request;
    const Error error = volume_copy("cudaMemcpy3D", *parameters, request);
    return error != Error::success ? error : copy_async(request, on);
  });
}

}  // extern "C"
