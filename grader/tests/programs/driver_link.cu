// The driver's linker, given one PTX, makes what cuModuleLoadData takes.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "driver_test.h"

static const std::string source = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry store(.param .u64 place) {
  .reg .u64 %rd<3>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [place];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 17;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

// What the kernel of the image stores.
static int stored_by(const void* image) {
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr place = 0;
  int result = 0;
  CHECK_DRIVER(cuModuleLoadData(&module, image));
  CHECK_DRIVER(cuModuleGetFunction(&kernel, module, "store"));
  CHECK_DRIVER(cuMemAlloc(&place, sizeof result));
  void* arguments[] = {&place};
  CHECK_DRIVER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(&result, place, sizeof result));
  CHECK_DRIVER(cuMemFree(place));
  CHECK_DRIVER(cuModuleUnload(module));
  return result;
}

static int linked_and_run(CUlinkState link) {
  void* image = nullptr;
  size_t size = 0;
  CHECK_DRIVER(cuLinkComplete(link, &image, &size));
  CHECK(size != 0);
  const int result = stored_by(image);
  CHECK_DRIVER(cuLinkDestroy(link));
  return result;
}

static void ptx_from_memory_is_linked() {
  CUlinkState link = nullptr;
  std::string text = source;
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "store.ptx", 0,
                             nullptr, nullptr));
  text.assign(text.size(), ' ');  // the link has its own copy
  CHECK(linked_and_run(link) == 17);
}

static void ptx_from_a_file_is_linked() {
  char path[] = "/tmp/driver_link_XXXXXX";
  close(mkstemp(path));
  std::ofstream(path) << source;
  CUlinkState link = nullptr;
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_DRIVER(cuLinkAddFile(link, CU_JIT_INPUT_PTX, path, 0, nullptr, nullptr));
  CHECK(linked_and_run(link) == 17);
  unlink(path);
}

static void logs_are_ended_texts() {
  CUlinkState link = nullptr;
  char information[64] = "as it was", errors[64] = "as it was";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {information, reinterpret_cast<void*>(64), errors, reinterpret_cast<void*>(64)};
  std::string text = source;
  CHECK_DRIVER(cuLinkCreate(4, options, values, &link));
  CHECK_DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, nullptr, 0,
                             nullptr, nullptr));
  CHECK(linked_and_run(link) == 17);
  CHECK(errors[0] == 0);
}

static void what_is_no_ptx_is_refused() {
  CUlinkState link = nullptr;
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n";
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_RESULT(CUDA_ERROR_INVALID_PTX,
               cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, nullptr, 0,
                             nullptr, nullptr));
  CHECK_RESULT(CUDA_ERROR_FILE_NOT_FOUND,
               cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/no/such.ptx", 0, nullptr, nullptr));
  CHECK_DRIVER(cuLinkDestroy(link));
}

int main() {
  CHECK_OK(cudaFree(nullptr));
  ptx_from_memory_is_linked();
  ptx_from_a_file_is_linked();
  logs_are_ended_texts();
  what_is_no_ptx_is_refused();
  return runtime_test::result();
}
