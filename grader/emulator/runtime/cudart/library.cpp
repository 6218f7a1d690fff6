// CUDA Runtime API, "Library Management": device code that a program loads itself.
#include "emulator/runtime/state/library.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
cudaError_t call_with(cudaLibrary_t handle, Action&& action) {
  return call([&] {
    Module* module = Registry::instance().find_module(handle);
    return module == nullptr ? Error::invalid_handle : action(*module);
  });
}

Error apply_options(const cudaJitOption* jit_options, void** jit_values, unsigned jit_count,
                    const cudaLibraryOption* options, unsigned count) {
  const Error error =
      apply_jit_options({reinterpret_cast<const int*>(jit_options), jit_count}, jit_values);
  return error != Error::success
             ? error
             : check_library_options({reinterpret_cast<const int*>(options), count});
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* image,
                                cudaJitOption* jit_options, void** jit_values, unsigned jit_count,
                                cudaLibraryOption* options, void**, unsigned count) {
  return call([&] {
    if (any_null(library)) return Error::invalid_value;
    Module* module = nullptr;
    Error error = apply_options(jit_options, jit_values, jit_count, options, count);
    if (error == Error::success) error = load_module(image, module);
    *library = reinterpret_cast<cudaLibrary_t>(module);
    return error;
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path,
                                    cudaJitOption* jit_options, void** jit_values,
                                    unsigned jit_count, cudaLibraryOption* options, void**,
                                    unsigned count) {
  return call([&] {
    if (any_null(library)) return Error::invalid_value;
    Module* module = nullptr;
    Error error = apply_options(jit_options, jit_values, jit_count, options, count);
    if (error == Error::success) error = load_module_file(path, module);
    *library = reinterpret_cast<cudaLibrary_t>(module);
    return error;
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call_with(library, [](Module& module) {
    Registry::instance().remove(&module);
    return Error::success;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return call_with(library, [&](Module& module) {
    if (any_null(kernel)) return Error::invalid_value;
    Function* function = nullptr;
    const Error error = find_kernel(module, name, function);
    *kernel = reinterpret_cast<cudaKernel_t>(function);
    return error;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* size, cudaLibrary_t library,
                                 const char* name) {
  return call_with(library, [&](Module& module) {
    const auto variable = module.variable(name);
    if (!variable) return Error::symbol_not_found;
    if (address != nullptr) *address = reinterpret_cast<void*>(variable->address);
    if (size != nullptr) *size = variable->size;
    return Error::success;
  });
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* size, cudaLibrary_t library,
                                  const char* name) {
  return call_with(library, [&](Module& module) {
    const auto variable = module.variable(name);
    if (!variable || !variable->is_managed) return Error::symbol_not_found;
    if (address != nullptr) *address = reinterpret_cast<void*>(variable->address);
    if (size != nullptr) *size = variable->size;
    return Error::success;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return call_with(library, [&](Module& module) {
    if (any_null(count)) return Error::invalid_value;
    *count = static_cast<unsigned>(module.functions().size());
    return Error::success;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                        cudaLibrary_t library) {
  return call_with(library, [&](Module& module) {
    if (any_null(kernels)) return Error::invalid_value;
    for (Function* function : module.functions()) {
      if (count-- == 0) break;
      *kernels++ = reinterpret_cast<cudaKernel_t>(function);
    }
    return Error::success;
  });
}

}  // extern "C"
