// Wrong calls of the driver.
#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

// What the driver answers to the text of a module.
int load(const char* text) {
  CUmodule module = nullptr;
  const int answer = cuModuleLoadData(&module, text);
  if (module != nullptr) cuModuleUnload(module);
  return answer;
}

#define PTX_BEGIN ".version 8.0\n.target sm_90\n.address_size 64\n"

}  // namespace

std::vector<WrongCall> wrong_driver_calls() {
  return {
      WRONG_CALL(cuInit(1)),
      WRONG_CALL(cuDriverGetVersion(nullptr)),
      WRONG_CALL(cuDeviceGet(nullptr, 0)),
      WRONG_CALL(cuDeviceGet(&t.device, -1)),
      WRONG_CALL(cuDeviceGet(&t.device, 99)),
      WRONG_CALL(cuDeviceGetCount(nullptr)),
      WRONG_CALL(cuDeviceGetName(nullptr, 16, 0)),
      WRONG_CALL(cuDeviceGetName(t.h, 16, 99)),
      WRONG_CALL(cuDeviceTotalMem(nullptr, 0)),
      WRONG_CALL(cuDeviceTotalMem(&t.z, 99)),
      WRONG_CALL(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0)),
      WRONG_CALL(cuDeviceGetAttribute(&t.n, static_cast<CUdevice_attribute>(9999), 0)),
      WRONG_CALL(cuDeviceGetAttribute(&t.n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99)),
      WRONG_CALL(cuDeviceGetUuid(nullptr, 0)),
      WRONG_CALL(cuDevicePrimaryCtxRetain(nullptr, 0)),
      WRONG_CALL(cuDevicePrimaryCtxRetain(&t.context, 99)),
      WRONG_CALL(cuDevicePrimaryCtxGetState(0, nullptr, nullptr)),
      WRONG_CALL(cuCtxGetCurrent(nullptr)),
      WRONG_CALL(cuCtxGetDevice(nullptr)),
      WRONG_CALL(cuCtxGetFlags(nullptr)),
      WRONG_CALL(cuCtxGetApiVersion(nullptr, nullptr)),
      WRONG_CALL(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE)),
      WRONG_CALL(cuCtxGetLimit(&t.z, static_cast<CUlimit>(99))),
      WRONG_CALL(cuCtxSetLimit(static_cast<CUlimit>(99), 1)),
      WRONG_CALL(cuCtxPushCurrent(nullptr)),
      WRONG_CALL(cuCtxDestroy(nullptr)),
      WRONG_CALL(cuMemAlloc(nullptr, 16)),
      WRONG_CALL(cuMemAlloc(&t.new_dp, 0)),
      WRONG_CALL(cuMemAlloc(&t.new_dp, 1ULL << 50)),
      WRONG_CALL(cuMemAllocPitch(nullptr, &t.z, 16, 16, 4)),
      WRONG_CALL(cuMemAllocPitch(&t.new_dp, nullptr, 16, 16, 4)),
      WRONG_CALL(cuMemAllocPitch(&t.new_dp, &t.z, 16, 16, 3)),
      WRONG_CALL(cuMemAllocPitch(&t.new_dp, &t.z, 0, 16, 4)),
      WRONG_CALL(cuMemAllocHost(nullptr, 16)),
      WRONG_CALL(cuMemAllocHost(&t.q, 0)),
      WRONG_CALL(cuMemHostAlloc(nullptr, 16, 0)),
      WRONG_CALL(cuMemHostAlloc(&t.q, 16, 99)),
      WRONG_CALL(cuMemAllocManaged(nullptr, 16, CU_MEM_ATTACH_GLOBAL)),
      WRONG_CALL(cuMemAllocManaged(&t.new_dp, 0, CU_MEM_ATTACH_GLOBAL)),
      WRONG_CALL(cuMemAllocManaged(&t.new_dp, 16, 0)),
      WRONG_CALL(cuMemAllocAsync(nullptr, 16, t.s)),
      WRONG_CALL(cuMemFree(0)),
      WRONG_CALL(cuMemFree(1)),
      WRONG_CALL(cuMemFree(t.dp + 16)),
      WRONG_CALL(cuMemFreeHost(nullptr)),
      WRONG_CALL(cuMemFreeHost(t.h)),
      WRONG_CALL(cuMemFreeAsync(0, t.s)),
      WRONG_CALL(cuMemGetInfo(nullptr, nullptr)),
      WRONG_CALL(cuMemGetAddressRange(nullptr, nullptr, t.dp)),
      WRONG_CALL(cuMemGetAddressRange(&t.new_dp, &t.z, 1)),
      WRONG_CALL(cuMemHostGetDevicePointer(nullptr, t.pinned, 0)),
      WRONG_CALL(cuMemHostGetDevicePointer(&t.new_dp, t.h, 0)),
      WRONG_CALL(cuMemHostGetFlags(nullptr, t.pinned)),
      WRONG_CALL(cuMemHostGetFlags(&t.u, t.h)),
      WRONG_CALL(cuMemcpyHtoD(0, t.h, 16)),
      WRONG_CALL(cuMemcpyHtoD(t.dp, nullptr, 16)),
      WRONG_CALL(cuMemcpyDtoH(nullptr, t.dp, 16)),
      WRONG_CALL(cuMemcpyDtoH(t.h, 0, 16)),
      WRONG_CALL(cuMemcpyDtoD(0, t.dp, 16)),
      WRONG_CALL(cuMemcpy2D(nullptr)),
      WRONG_CALL(cuMemcpy3D(nullptr)),
      WRONG_CALL(cuMemsetD8(0, 0, 4)),
      WRONG_CALL(cuMemsetD16(t.dp + 1, 0, 4)),
      WRONG_CALL(cuMemsetD32(t.dp + 2, 0, 4)),
      WRONG_CALL(cuMemsetD32(0, 0, 4)),
      WRONG_CALL(cuMemsetD2D32(t.dp, 6, 0, 1, 2)),
      WRONG_CALL(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_CONTEXT, t.dp)),
      WRONG_CALL(cuPointerGetAttribute(&t.q, static_cast<CUpointer_attribute>(999), t.dp)),
      WRONG_CALL(cuPointerGetAttribute(&t.q, CU_POINTER_ATTRIBUTE_CONTEXT, 0)),
      WRONG_CALL(cuStreamCreate(nullptr, 0)),
      WRONG_CALL(cuStreamCreate(&t.new_s, 99)),
      WRONG_CALL(cuStreamGetFlags(t.s, nullptr)),
      WRONG_CALL(cuStreamGetPriority(t.s, nullptr)),
      WRONG_CALL(cuStreamGetCtx(t.s, nullptr)),
      WRONG_CALL(cuStreamGetId(t.s, nullptr)),
      WRONG_CALL(cuStreamDestroy(nullptr)),
      WRONG_CALL(cuStreamWaitEvent(t.s, nullptr, 0)),
      WRONG_CALL(cuStreamIsCapturing(t.s, nullptr)),
      WRONG_CALL(cuStreamEndCapture(t.s, nullptr)),
      WRONG_CALL(cuLaunchHostFunc(t.s, nullptr, nullptr)),
      WRONG_CALL(cuEventCreate(nullptr, 0)),
      WRONG_CALL(cuEventCreate(&t.new_e, 99)),
      WRONG_CALL(cuEventRecord(nullptr, t.s)),
      WRONG_CALL(cuEventQuery(nullptr)),
      WRONG_CALL(cuEventDestroy(nullptr)),
      WRONG_CALL(cuEventElapsedTime(nullptr, t.e, t.e2)),
      WRONG_CALL(cuGetErrorName(CUDA_SUCCESS, nullptr)),
      WRONG_CALL(cuGetErrorString(CUDA_SUCCESS, nullptr)),
      WRONG_CALL([] {
        const char* s = nullptr;
        return cuGetErrorName(static_cast<CUresult>(12345), &s);
      }()),
      WRONG_CALL(cuTensorMapEncodeTiled(
          nullptr, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, nullptr, nullptr, nullptr, nullptr, nullptr,
          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
      WRONG_CALL([&] {
        alignas(64) CUtensorMap m{};
        return cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, t.d, nullptr, nullptr,
                                      nullptr, nullptr, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
      }()),
      WRONG_CALL(cuTensorMapReplaceAddress(nullptr, t.d)),
  };
}

std::vector<WrongCall> wrong_module_calls() {
  return {
      WRONG_CALL(cuModuleLoadData(nullptr, PTX_BEGIN)),
      WRONG_CALL(cuModuleLoadData(&t.new_module, nullptr)),
      WRONG_CALL(cuModuleUnload(nullptr)),
      WRONG_CALL(cuModuleGetFunction(nullptr, t.module, "k")),
      WRONG_CALL(cuModuleGetFunction(&t.new_function, nullptr, "k")),
      WRONG_CALL(cuModuleGetFunction(&t.new_function, t.module, nullptr)),
      WRONG_CALL(cuModuleGetFunction(&t.new_function, t.module, "none")),
      WRONG_CALL(cuModuleGetGlobal(&t.new_dp, &t.z, t.module, nullptr)),
      WRONG_CALL(cuModuleGetGlobal(&t.new_dp, &t.z, t.module, "none")),
      WRONG_CALL(cuModuleGetGlobal(nullptr, nullptr, t.module, "v")),
      WRONG_CALL(cuModuleGetGlobal(&t.new_dp, &t.z, nullptr, "v")),
      WRONG_CALL(cuModuleLoad(&t.new_module, "/no/such/file")),
      WRONG_CALL(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, t.function)),
      WRONG_CALL(cuFuncGetAttribute(&t.n, static_cast<CUfunction_attribute>(99), t.function)),
      WRONG_CALL(cuFuncGetAttribute(&t.n, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr)),
      WRONG_CALL(cuFuncSetAttribute(t.function, static_cast<CUfunction_attribute>(99), 1)),
      WRONG_CALL(cuFuncSetAttribute(t.function, CU_FUNC_ATTRIBUTE_NUM_REGS, 1)),
      WRONG_CALL(
          cuFuncSetAttribute(t.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232449)),
      WRONG_CALL(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)),
      WRONG_CALL(cuLaunchKernel(t.function, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)),
      WRONG_CALL(cuLaunchKernel(t.function, 1, 1, 1, 1025, 1, 1, 0, nullptr, nullptr, nullptr)),
      WRONG_CALL(cuLaunchKernel(t.function, 1, 1, 1, 1, 1, 1, 300000, nullptr, nullptr, nullptr)),
      WRONG_CALL(cuLaunchKernelEx(nullptr, t.function, nullptr, nullptr)),
      WRONG_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, t.function, 32, 0)),
      WRONG_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, nullptr, 32, 0)),
      WRONG_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, t.function, 0, 0)),
      WRONG_CALL(load("")),
      WRONG_CALL(load("nonsense")),
      WRONG_CALL(load("\n\n")),
      WRONG_CALL(load("// only a comment\n")),
      WRONG_CALL(load(".version")),
      WRONG_CALL(load(".target sm_90\n.version 8.0\n")),
      WRONG_CALL(load(PTX_BEGIN)),
      WRONG_CALL(load(".version 99.0\n.target sm_90\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 8.0\n.target sm_120\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 8.7\n.target sm_120\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 8.7\n.target sm_100\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 8.0\n.target sm_91\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 8.0\n.target sm_80\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(".version 7.0\n.target sm_90\n.visible .entry k() { ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { bogus.s32 %r1; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { add.s32 %r1, %r5, %r7; ret; }")),
      WRONG_CALL(
          load(PTX_BEGIN ".visible .entry k() { .reg .b32 %r<2>; add.s32 %r1, %r5, %r1; ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { bra nowhere; }")),
      WRONG_CALL(
          load(PTX_BEGIN ".visible .entry k() { .reg .b64 %d<2>; add.s32 %d1, %d1, %d1; ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { .reg .b32 %r<2>; L: bra L")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { ret; } .visible .entry k() { ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k(.param .align 8 .b8 p[99999999]) { ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k(.param .align 8 .b8 p[4353]) { ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { .shared .align 4 .b8 s[999999999]; ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".visible .entry k() { .shared .align 4 .b8 s[49153]; ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".extern .func f(); .visible .entry k() { call f; ret; }")),
      WRONG_CALL(load(PTX_BEGIN ".const .align 4 .b8 c[65537]; .visible .entry k() { ret; }")),
  };
}

}  // namespace conformance
