// CUDA Driver API, "Memory Management": copies between linear memories.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/volume_copy.h"
#include "emulator/runtime/state/copy.h"

using namespace tmaemu::runtime;

namespace {

CUresult linear(const char* name, void* destination, const void* source, size_t size,
                CopyKind kind) {
  return call(
      [&] { return copy(linear_copy(name, destination, source, size, kind), default_stream()); });
}

CUresult linear_async(const char* name, void* destination, const void* source, size_t size,
                      CopyKind kind, CUstream stream) {
  return call_on(stream, [&](Stream& on) {
    return copy_async(linear_copy(name, destination, source, size, kind), on);
  });
}

// One side of a 2D or 3D copy. The type says which of the descriptor's fields counts.
Error start_of(CUmemorytype type, const void* host, CUdeviceptr device, void*& start) {
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      start = const_cast<void*>(host);
      return Error::success;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      start = pointer_to(device);
      return Error::success;
    case CU_MEMORYTYPE_ARRAY:
      return not_modeled("a copy with a CUDA array");
  }
  return Error::invalid_value;
}

CopyKind kind_of(CUmemorytype destination, CUmemorytype source) {
  const bool to_device = destination == CU_MEMORYTYPE_DEVICE;
  const bool from_device = source == CU_MEMORYTYPE_DEVICE;
  if (destination == CU_MEMORYTYPE_UNIFIED || source == CU_MEMORYTYPE_UNIFIED) {
    return CopyKind::inferred;
  }
  return to_device ? (from_device ? CopyKind::device_to_device : CopyKind::host_to_device)
                   : (from_device ? CopyKind::device_to_host : CopyKind::host_to_host);
}

void move(Rows& rows, size_t x, size_t y, size_t z) {
  rows.start = static_cast<std::byte*>(rows.start) + z * rows.slice_pitch + y * rows.pitch + x;
}

Error plane(const CUDA_MEMCPY2D& from, CopyRequest& request) {
  request.call = "cuMemcpy2D";
  request.extent = {from.WidthInBytes, from.Height, 1};
  request.kind = kind_of(from.dstMemoryType, from.srcMemoryType);
  request.destination.pitch = from.dstPitch == 0 ? from.WidthInBytes : from.dstPitch;
  request.source.pitch = from.srcPitch == 0 ? from.WidthInBytes : from.srcPitch;
  Error error =
      start_of(from.dstMemoryType, from.dstHost, from.dstDevice, request.destination.start);
  if (error != Error::success) return error;
  error = start_of(from.srcMemoryType, from.srcHost, from.srcDevice, request.source.start);
  move(request.destination, from.dstXInBytes, from.dstY, 0);
  move(request.source, from.srcXInBytes, from.srcY, 0);
  return error;
}

}  // namespace

namespace tmaemu::runtime {

Error volume_copy(const char* call, const CUDA_MEMCPY3D& from, CopyRequest& request) {
  request.call = call;
  request.extent = {from.WidthInBytes, from.Height, from.Depth};
  request.kind = kind_of(from.dstMemoryType, from.srcMemoryType);
  request.destination.pitch = from.dstPitch == 0 ? from.WidthInBytes : from.dstPitch;
  request.source.pitch = from.srcPitch == 0 ? from.WidthInBytes : from.srcPitch;
  request.destination.slice_pitch =
      request.destination.pitch * (from.dstHeight == 0 ? from.Height : from.dstHeight);
  request.source.slice_pitch =
      request.source.pitch * (from.srcHeight == 0 ? from.Height : from.srcHeight);
  Error error =
      start_of(from.dstMemoryType, from.dstHost, from.dstDevice, request.destination.start);
  if (error != Error::success) return error;
  error = start_of(from.srcMemoryType, from.srcHost, from.srcDevice, request.source.start);
  move(request.destination, from.dstXInBytes, from.dstY, from.dstZ);
  move(request.source, from.srcXInBytes, from.srcY, from.srcZ);
  return error;
}

}  // namespace tmaemu::runtime

extern "C" {

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t size) {
  return linear("cuMemcpy", pointer_to(destination), pointer_to(source), size, CopyKind::inferred);
}
CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream) {
  return linear_async("cuMemcpyAsync", pointer_to(destination), pointer_to(source), size,
                      CopyKind::inferred, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr destination, const void* source, size_t size) {
  return linear("cuMemcpyHtoD", pointer_to(destination), source, size, CopyKind::host_to_device);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void* source, size_t size,
                           CUstream stream) {
  return linear_async("cuMemcpyHtoDAsync", pointer_to(destination), source, size,
                      CopyKind::host_to_device, stream);
}
CUresult cuMemcpyDtoH(void* destination, CUdeviceptr source, size_t size) {
  return linear("cuMemcpyDtoH", destination, pointer_to(source), size, CopyKind::device_to_host);
}
CUresult cuMemcpyDtoHAsync(void* destination, CUdeviceptr source, size_t size, CUstream stream) {
  return linear_async("cuMemcpyDtoHAsync", destination, pointer_to(source), size,
                      CopyKind::device_to_host, stream);
}
CUresult cuMemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, size_t size) {
  return linear("cuMemcpyDtoD", pointer_to(destination), pointer_to(source), size,
                CopyKind::device_to_device);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t size,
                           CUstream stream) {
  return linear_async("cuMemcpyDtoDAsync", pointer_to(destination), pointer_to(source), size,
                      CopyKind::device_to_device, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* descriptor) {
  return call([&] {
    if (any_null(descriptor)) return Error::invalid_value;
    CopyRequest request;
    const Error error = plane(*descriptor, request);
    return error != Error::success ? error : copy(request, default_stream());
  });
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* descriptor) {
  return cuMemcpy2D(descriptor);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* descriptor, CUstream stream) {
  return call_on(stream, [&](Stream& on) {
    if (any_null(descriptor)) return Error::invalid_value;
    CopyRequest request;
    const Error error = plane(*descriptor, request);
    return error != Error::success ? error : copy_async(request, on);
  });
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* descriptor) {
  return call([&] {
    if (any_null(descriptor)) return Error::invalid_value;
    CopyRequest request;
    const Error error = volume_copy("cuMemcpy3D", *descriptor, request);
    return error != Error::success ? error : copy(request, default_stream());
  });
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* descriptor, CUstream stream) {
  return call_on(stream, [&](Stream& on) {
    if (any_null(descriptor)) return Error::invalid_value;
    CopyRequest request;
    const Error error = volume_copy("cuMemcpy3D", *descriptor, request);
    return error != Error::success ? error : copy_async(request, on);
  });
}

}  // extern "C"
