// CUDA C++'s SIMD intrinsics that the compiler turns into SIMD video instructions.
#include "runtime_test.h"

__global__ void distances(unsigned a, unsigned b, unsigned* out) {
  out[0] = __vabsdiffu4(a, b);
  out[1] = __vsadu4(a, b);
}

int main() {
  unsigned* out = nullptr;
  unsigned result[2] = {};
  CHECK_OK(cudaMalloc(&out, sizeof result));
  distances<<<1, 1>>>(0x10203040, 0x10233241, out);
  CHECK_OK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(result[0] == 0x00030201);
  CHECK(result[1] == 6);
  CHECK_OK(cudaFree(out));
  return runtime_test::result();
}
