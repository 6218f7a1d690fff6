// CUDA Driver API, "Execution Control": kernels' attributes.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/launch.h"

using namespace tmaemu::runtime;

namespace {

Error get_attribute(const Function& function, CUfunction_attribute attribute, int& value) {
  const tmaemu::KernelInfo& info = function.kernel->info();
  const tmaemu::Dimensions& cluster = info.required_cluster.count() != 0
                                          ? info.required_cluster
                                          : function.settings.required_cluster;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      value = static_cast<int>(max_threads_per_cta(info));
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      value = static_cast<int>(info.static_shared_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      value = static_cast<int>(info.frame_bytes());
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      value = static_cast<int>(info.registers());
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      value = 90;
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = static_cast<int>(max_dynamic_shared_bytes(function));
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = function.settings.preferred_carveout;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      value = info.required_cluster.count() != 0 ? 1 : 0;
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      value = static_cast<int>(cluster.x);
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      value = static_cast<int>(cluster.y);
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      value = static_cast<int>(cluster.z);
      break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      value = function.settings.non_portable_cluster ? 1 : 0;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = function.settings.cluster_scheduling_policy;
      break;
    default:
      return Error::invalid_value;
  }
  return Error::success;
}

template <class Handle>
CUresult name_of(const char** name, Handle handle) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(name)) return Error::invalid_value;
    *name = function.name.c_str();
    return Error::success;
  });
}

CUresult parameter_info(const void* handle, size_t index, size_t* offset, size_t* size) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(offset)) return Error::invalid_value;
    const auto& parameters = function.kernel->info().parameters;
    if (index >= parameters.size()) return Error::invalid_value;
    *offset = parameters[index].offset;
    if (size != nullptr) *size = parameters[index].size;
    return Error::success;
  });
}

}  // namespace

extern "C" {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(value)) return Error::invalid_value;
    return get_attribute(function, attribute, *value);
  });
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return call_with_function(handle, [&](Function& function) {
    return set_attribute(function, static_cast<FunctionAttribute>(attribute), value);
  });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel handle,
                              CUdevice) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(value)) return Error::invalid_value;
    return get_attribute(function, attribute, *value);
  });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle,
                              CUdevice) {
  return call_with_function(handle, [&](Function& function) {
    return set_attribute(function, static_cast<FunctionAttribute>(attribute), value);
  });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  return call_with_function(handle, [&](Function& found) {
    if (any_null(function)) return Error::invalid_value;
    *function = reinterpret_cast<CUfunction>(&found);
    return Error::success;
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return call_with_function(handle, [&](Function& function) {
    if (any_null(module)) return Error::invalid_value;
    *module = reinterpret_cast<CUmodule>(function.module);
    return Error::success;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction handle) {
  return name_of(name, handle);
}
CUresult cuKernelGetName(const char** name, CUkernel handle) {
  return name_of(name, handle);
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* size) {
  return parameter_info(handle, index, offset, size);
}
CUresult cuKernelGetParamInfo(CUkernel handle, size_t index, size_t* offset, size_t* size) {
  return parameter_info(handle, index, offset, size);
}

CUresult cuFuncLoad(CUfunction handle) {
  return call_with_function(handle, [](Function&) { return Error::success; });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  return call_with_function(handle, [&](Function&) {
    if (any_null(state)) return Error::invalid_value;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return Error::success;
  });
}

// Preferences about caches change no result.
CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache) {
  return call_with_function(handle, [](Function&) { return Error::success; });
}
CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache, CUdevice) {
  return call_with_function(handle, [](Function&) { return Error::success; });
}

}  // extern "C"
