// The driver API: contexts, modules from PTX, launches, and entry points by name.
#include <cstring>

#include "driver_test.h"

static const char ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 total = 5;
.visible .entry add(.param .u64 out, .param .u32 amount)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [amount];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r2, [total];
  add.s32 %r3, %r2, %r1;
  st.global.u32 [%rd2], %r3;
  ret;
}
)";

static void calls_before_cuinit_are_refused() {
  int count = 0;
  CHECK_RESULT(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  CHECK_DRIVER(cuInit(0));
  CHECK_DRIVER(cuDeviceGetCount(&count));
  CHECK(count >= 1);
}

static void work_needs_a_context() {
  CUdeviceptr memory = 0;
  CHECK_RESULT(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
  CUdevice device = 0;
  CUcontext context = nullptr, current = nullptr;
  CHECK_DRIVER(cuDeviceGet(&device, 0));
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_DRIVER(cuCtxSetCurrent(context));
  CHECK_DRIVER(cuCtxGetCurrent(&current));
  CHECK(current == context);
}

// NVIDIA's samples hand over parameters of which none asks for anything.
static void parameters_that_ask_for_nothing_make_a_plain_context() {
#if CUDA_VERSION >= 13000
  CUctxCreateParams parameters = {};
  CUcontext before = nullptr, context = nullptr, current = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&before));
  CHECK_DRIVER(cuCtxCreate(&context, &parameters, 0, 0));
  CHECK_DRIVER(cuCtxGetCurrent(&current));
  CHECK(current == context && context != before);
  CHECK_DRIVER(cuCtxDestroy(context));
  CHECK_DRIVER(cuCtxSetCurrent(before));
#endif
}

static void modules_are_loaded_from_ptx() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr out = 0, total = 0;
  size_t size = 0;
  int amount = 37, result = 0;
  CHECK_DRIVER(cuModuleLoadData(&module, ptx));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "add"));
  CHECK_RESULT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "subtract"));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "add"));
  CHECK_DRIVER(cuModuleGetGlobal(&total, &size, module, "total"));
  CHECK(size == 4);
  CHECK_DRIVER(cuMemAlloc(&out, sizeof(int)));
  void* arguments[] = {&out, &amount};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(&result, out, sizeof result));
  CHECK(result == 42);
  struct {
    CUdeviceptr out;
    int amount;
  } packed{out, 1};
  size_t packed_size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &packed_size, CU_LAUNCH_PARAM_END};
  CHECK_DRIVER(cuMemsetD32(total, 9, 1));
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  CHECK_DRIVER(cuMemcpyDtoH(&result, out, sizeof result));
  CHECK(result == 10);
  packed_size = 16;
  CHECK_RESULT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
               cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  packed_size = 9;  // the other bytes of the number are zeros either way
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE,
               cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_DRIVER(cuMemFree(out));
  CHECK_DRIVER(cuModuleUnload(module));
}

static void entry_points_are_found_by_name_and_version() {
  void* function = nullptr;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
  CHECK_DRIVER(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &found));
  CUdeviceptr memory = 0;
  CHECK_DRIVER(reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(function)(&memory, 256));
  CHECK_DRIVER(cuMemFree(memory));
  CHECK_DRIVER(cuGetProcAddress("cuNoSuchCall", &function, 12000, 0, &found));
  CHECK(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && function == nullptr);
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  CHECK_OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                            cudaEnableDefault, &status));
  CHECK(status == cudaDriverEntryPointSuccess && function != nullptr);
}

static void errors_have_the_drivers_names() {
  const char* name = nullptr;
  CHECK_DRIVER(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name));
  CHECK(std::strcmp(name, "CUDA_ERROR_INVALID_VALUE") == 0);
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &name));
  CHECK(name == nullptr);
}

int main() {
  calls_before_cuinit_are_refused();
  work_needs_a_context();
  parameters_that_ask_for_nothing_make_a_plain_context();
  modules_are_loaded_from_ptx();
  entry_points_are_found_by_name_and_version();
  errors_have_the_drivers_names();
  return runtime_test::result();
}
