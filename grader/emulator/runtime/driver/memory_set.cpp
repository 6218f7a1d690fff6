// CUDA Driver API, "Memory Management": fills with 1-, 2- and 4-byte values.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/copy.h"

using namespace tmaemu::runtime;

namespace {

template <class Value>
Error fill_rows(CUdeviceptr address, size_t pitch, Value value, size_t width, size_t height,
                Stream& stream) {
  if (address % sizeof(Value) != 0 || (height > 1 && pitch % sizeof(Value) != 0)) {
    return Error::invalid_value;
  }
  return fill(
      {"cuMemset", {pointer_to(address), pitch, 0}, {width, height, 1}, value, sizeof(Value)},
      stream);
}

template <class Value>
CUresult set(CUdeviceptr address, Value value, size_t count, CUstream stream) {
  return call_on(stream, [&](Stream& on) { return fill_rows(address, 0, value, count, 1, on); });
}

template <class Value>
CUresult set_plane(CUdeviceptr address, size_t pitch, Value value, size_t width, size_t height,
                   CUstream stream) {
  return call_on(stream,
                 [&](Stream& on) { return fill_rows(address, pitch, value, width, height, on); });
}

}  // namespace

extern "C" {

CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count) {
  return set(address, value, count, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count) {
  return set(address, value, count, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr address, unsigned value, size_t count) {
  return set(address, value, count, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return set(address, value, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count,
                          CUstream stream) {
  return set(address, value, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  return set(address, value, count, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return set_plane(address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return set_plane(address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                       size_t height) {
  return set_plane(address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return set_plane(address, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return set_plane(address, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
  return set_plane(address, pitch, value, width, height, stream);
}

}  // extern "C"
