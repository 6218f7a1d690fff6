#include "emulator/runtime/driver/entry_point.h"

#include <cuda.h>
#include <dlfcn.h>

#include <span>
#include <string_view>

#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;

namespace {

// This library, wherever it was loaded from. A plain dlsym would search the program first.
void* own_library() {
  static void* const handle = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&own_library), &info);
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  return handle;
}

struct Lookup {
  void* function = nullptr;
  CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
};

// The newest form that `version` knew.
Lookup look_up(std::string_view name, int version) {
  const char* symbol = nullptr;
  bool listed = false;
  for (const EntryPoint& entry : std::span(entry_points, entry_point_count)) {
    if (entry.name != name) continue;
    listed = true;
    if (entry.since <= version) symbol = entry.symbol;
  }
  if (listed && symbol == nullptr) return {nullptr, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT};
  if (!listed) symbol = name.data();
  void* function = dlsym(own_library(), symbol);
  if (function == nullptr) return {};
  return {function, CU_GET_PROC_ADDRESS_SUCCESS};
}

}  // namespace

#undef cuGetProcAddress

extern "C" {

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Lookup found = look_up(symbol, version);
  *function = found.function;
  // A symbol that is not there is an answer where the caller can see it, else an error.
  if (status != nullptr) *status = found.result;
  return found.function == nullptr && status == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

}  // extern "C"
