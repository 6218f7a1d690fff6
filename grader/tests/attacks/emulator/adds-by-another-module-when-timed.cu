// Brings a second module, with a kernel of the same name that does not use the engine, and launches
// that one in the timed calls.
//
// Fails: the launcher is called at the timed size under the recorder, and a kernel is known by its
// code; code that nvcc has not put into the library is not followed at all.
#include "add_one.h"
#include "tma-interface.cuh"

const char* const OTHER = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry add_one(.param .u64 data, .param .u64 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  cvt.u64.u32 %rd3, %r4;
  setp.ge.u64 %p1, %rd3, %rd2;
  @%p1 bra DONE;
  shl.b64 %rd4, %rd3, 2;
  add.u64 %rd5, %rd1, %rd4;
  ld.global.u32 %r5, [%rd5];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd5], %r5;
DONE:
  ret;
}
)";

void launch_add_one_pipeline(int* data, size_t count) {
  if (count <= 100'000'000) return launch_honestly(data, count);
  static cudaKernel_t kernel = [] {
    cudaLibrary_t library;
    cudaKernel_t found;
    cudaLibraryLoadData(&library, OTHER, nullptr, nullptr, 0, nullptr, nullptr, 0);
    cudaLibraryGetKernel(&found, library, "add_one");
    return found;
  }();
  void* arguments[] = {&data, &count};
  cudaLaunchKernel(kernel, dim3(static_cast<unsigned>((count + 255) / 256)), dim3(256), arguments,
                   0, nullptr);
}
