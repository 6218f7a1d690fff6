// CUDA Runtime API, "Memory Management": module-scope variables by their host symbols.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/symbol_copy.h"
#include "emulator/runtime/state/module.h"

using namespace tmaemu::runtime;
using tmaemu::DeviceVariable;

namespace {

// The bytes [offset, offset + size) of the variable.
Error locate(const void* symbol, size_t offset, size_t size, void*& address) {
  DeviceVariable variable;
  const Error error = Registry::instance().find_variable(symbol, variable);
  if (error != Error::success) return error;
  if (offset > variable.size || size > variable.size - offset) return Error::invalid_value;
  address = reinterpret_cast<void*>(variable.address + offset);
  return Error::success;
}

}  // namespace

namespace tmaemu::runtime {

Error copy_to(const char* call_name, const void* symbol, const void* source, size_t size,
              size_t offset, cudaMemcpyKind kind, CopyRequest& request) {
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
    return Error::invalid_memcpy_direction;
  }
  void* address = nullptr;
  const Error error = locate(symbol, offset, size, address);
  request = linear_copy(call_name, address, source, size, static_cast<CopyKind>(kind));
  return error;
}

Error copy_from(const char* call_name, void* destination, const void* symbol, size_t size,
                size_t offset, cudaMemcpyKind kind, CopyRequest& request) {
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
    return Error::invalid_memcpy_direction;
  }
  void* address = nullptr;
  const Error error = locate(symbol, offset, size, address);
  request = linear_copy(call_name, destination, address, size, static_cast<CopyKind>(kind));
  return error;
}

}  // namespace tmaemu::runtime

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t size, size_t offset,
                               cudaMemcpyKind kind) {
  return call([&] {
    CopyRequest request;
    const Error error = copy_to("cudaMemcpyToSymbol", symbol, source, size, offset, kind, request);
    return error != Error::success ? error : copy(request, default_stream());
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t size,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    CopyRequest request;
    const Error error =
        copy_to("cudaMemcpyToSymbolAsync", symbol, source, size, offset, kind, request);
    return error != Error::success ? error : copy_async(request, on);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t size, size_t offset,
                                 cudaMemcpyKind kind) {
  return call([&] {
    CopyRequest request;
    const Error error =
        copy_from("cudaMemcpyFromSymbol", destination, symbol, size, offset, kind, request);
    return error != Error::success ? error : copy(request, default_stream());
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t size,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    CopyRequest request;
    const Error error =
        copy_from("cudaMemcpyFromSymbolAsync", destination, symbol, size, offset, kind, request);
    return error != Error::success ? error : copy_async(request, on);
  });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return call([&] {
    if (any_null(address)) return Error::invalid_value;
    return locate(symbol, 0, 0, *address);
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return call([&] {
    if (any_null(size)) return Error::invalid_value;
    DeviceVariable variable;
    const Error error = Registry::instance().find_variable(symbol, variable);
    *size = variable.size;
    return error;
  });
}

}  // extern "C"
