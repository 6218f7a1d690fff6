// CUDA Driver API, "Module Management" and "Library Management".
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/library.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
CUresult call_with_module(const void* handle, Action&& action) {
  return call([&] {
    Module* module = Registry::instance().find_module(handle);
    return module == nullptr ? Error::invalid_handle : action(*module);
  });
}

// CUmodule and CUlibrary are both a Module; CUfunction and CUkernel both a Function.
struct LoadOptions {
  const CUjit_option* jit = nullptr;
  void** jit_values = nullptr;
  unsigned jit_count = 0;
  const CUlibraryOption* library = nullptr;
  unsigned library_count = 0;

  Error apply() const {
    const Error error =
        apply_jit_options({reinterpret_cast<const int*>(jit), jit_count}, jit_values);
    return error != Error::success
               ? error
               : check_library_options({reinterpret_cast<const int*>(library), library_count});
  }
};

template <class Handle>
CUresult load_image(Handle* handle, const void* image, const LoadOptions& options = {}) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    Module* module = nullptr;
    Error error = options.apply();
    if (error == Error::success) error = load_module(image, module);
    *handle = reinterpret_cast<Handle>(module);
    return error;
  });
}

template <class Handle>
CUresult load_file(Handle* handle, const char* path, const LoadOptions& options = {}) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    Module* module = nullptr;
    Error error = options.apply();
    if (error == Error::success) error = load_module_file(path, module);
    *handle = reinterpret_cast<Handle>(module);
    return error;
  });
}

CUresult unload(const void* handle) {
  return call_with_module(handle, [](Module& module) {
    Registry::instance().remove(&module);
    return Error::success;
  });
}

template <class Handle>
CUresult get_kernel(Handle* kernel, const void* module_handle, const char* name) {
  return call_with_module(module_handle, [&](Module& module) {
    if (any_null(kernel, name)) return Error::invalid_value;
    Function* function = nullptr;
    const Error error = find_kernel(module, name, function);
    *kernel = reinterpret_cast<Handle>(function);
    return error;
  });
}

CUresult get_variable(CUdeviceptr* address, size_t* size, const void* handle, const char* name) {
  return call_with_module(handle, [&](Module& module) {
    if (any_null(name) || (address == nullptr && size == nullptr)) return Error::invalid_value;
    const auto variable = module.variable(name);
    if (!variable) return Error::symbol_not_found;
    if (address != nullptr) *address = variable->address;
    if (size != nullptr) *size = variable->size;
    return Error::success;
  });
}

CUresult count_kernels(unsigned* count, const void* handle) {
  return call_with_module(handle, [&](Module& module) {
    if (any_null(count)) return Error::invalid_value;
    *count = static_cast<unsigned>(module.functions().size());
    return Error::success;
  });
}

template <class Handle>
CUresult list_kernels(Handle* kernels, unsigned room, const void* handle) {
  return call_with_module(handle, [&](Module& module) {
    if (any_null(kernels)) return Error::invalid_value;
    for (Function* function : module.functions()) {
      if (room-- == 0) break;
      *kernels++ = reinterpret_cast<Handle>(function);
    }
    return Error::success;
  });
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return load_file(module, path);
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_image(module, image);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  return load_image(module, image, {options, values, count, nullptr, 0});
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load_image(module, image);
}
CUresult cuModuleUnload(CUmodule module) {
  return unload(module);
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return get_kernel(function, module, name);
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* size, CUmodule module, const char* name) {
  return get_variable(address, size, module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return count_kernels(count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned room, CUmodule module) {
  return list_kernels(functions, room, module);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return call_without_context([&] {
    if (any_null(mode)) return Error::invalid_value;
    *mode = CU_MODULE_LAZY_LOADING;
    return Error::success;
  });
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* jit_options,
                           void** jit_values, unsigned jit_count, CUlibraryOption* options, void**,
                           unsigned count) {
  return load_image(library, image, {jit_options, jit_values, jit_count, options, count});
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* jit_options,
                               void** jit_values, unsigned jit_count, CUlibraryOption* options,
                               void**, unsigned count) {
  return load_file(library, path, {jit_options, jit_values, jit_count, options, count});
}
CUresult cuLibraryUnload(CUlibrary library) {
  return unload(library);
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return get_kernel(kernel, library, name);
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return call_with_module(library, [&](Module& found) {
    if (any_null(module)) return Error::invalid_value;
    *module = reinterpret_cast<CUmodule>(&found);
    return Error::success;
  });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* size, CUlibrary library,
                            const char* name) {
  return get_variable(address, size, library, name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* size, CUlibrary library,
                             const char* name) {
  return call_with_module(library, [&](Module& module) {
    if (any_null(name) || (address == nullptr && size == nullptr)) return Error::invalid_value;
    const auto variable = module.variable(name);
    if (!variable || !variable->is_managed) return Error::symbol_not_found;
    if (address != nullptr) *address = variable->address;
    if (size != nullptr) *size = variable->size;
    return Error::success;
  });
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return count_kernels(count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned room, CUlibrary library) {
  return list_kernels(kernels, room, library);
}

}  // extern "C"
