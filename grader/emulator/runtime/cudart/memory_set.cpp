// CUDA Runtime API, "Memory Management": fills.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/copy.h"

using namespace tmaemu::runtime;

namespace {

FillRequest request_for(const char* call_name, void* start, size_t pitch, size_t slice_pitch,
                        int value, Extent extent) {
  return {call_name, {start, pitch, slice_pitch}, extent, static_cast<std::uint32_t>(value), 1};
}

FillRequest volume(const char* call_name, const cudaPitchedPtr& memory, int value,
                   const cudaExtent& extent) {
  return request_for(call_name, memory.ptr, memory.pitch, memory.pitch * memory.ysize, value,
                     {extent.width, extent.height, extent.depth});
}

}  // namespace

extern "C" {

cudaError_t cudaMemset(void* start, int value, size_t size) {
  return call([&] {
    return fill(request_for("cudaMemset", start, size, size, value, {size, 1, 1}),
                default_stream());
  });
}

cudaError_t cudaMemsetAsync(void* start, int value, size_t size, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    return fill(request_for("cudaMemsetAsync", start, size, size, value, {size, 1, 1}), on);
  });
}

cudaError_t cudaMemset2D(void* start, size_t pitch, int value, size_t width, size_t height) {
  return call([&] {
    return fill(request_for("cudaMemset2D", start, pitch, 0, value, {width, height, 1}),
                default_stream());
  });
}

cudaError_t cudaMemset2DAsync(void* start, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    return fill(request_for("cudaMemset2DAsync", start, pitch, 0, value, {width, height, 1}), on);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return call(
      [&] { return fill(volume("cudaMemset3D", memory, value, extent), default_stream()); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    return fill(volume("cudaMemset3DAsync", memory, value, extent), on);
  });
}

}  // extern "C"
