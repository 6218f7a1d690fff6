// CUDA Runtime API, "Driver Entry Point Access".
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/version.h"

using namespace tmaemu::runtime;

namespace {

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);

// The emulator's driver, which lies beside this library (its RUNPATH is $ORIGIN).
GetProcAddress get_proc_address() {
  static const auto function = [] {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    return reinterpret_cast<GetProcAddress>(
        driver == nullptr ? nullptr : dlsym(driver, "cuGetProcAddress_v2"));
  }();
  return function;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return call([&] {
    if (any_null(symbol, function)) return Error::invalid_value;
    *function = nullptr;
    if (get_proc_address() == nullptr) {
      explain("cudaGetDriverEntryPoint: the emulator's libcuda.so.1 cannot be loaded");
      return Error::symbol_not_found;
    }
    static_assert(sizeof *status == sizeof(int));
    const auto answer = static_cast<Error>(get_proc_address()(
        symbol, function, static_cast<int>(version), flags, reinterpret_cast<int*>(status)));
    // The runtime tells of a name that the driver does not have by the status alone.
    return answer == Error::symbol_not_found ? Error::success : answer;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, static_cast<unsigned>(runtime_version),
                                          flags, status);
}

}  // extern "C"
