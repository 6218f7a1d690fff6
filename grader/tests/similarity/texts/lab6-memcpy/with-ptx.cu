// The instructions themselves, and the pointers as numbers.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u64 = unsigned long long;
using u32 = unsigned int;

struct Shared {
  alignas(128) unsigned char bytes[6144];
  u64 mbar;
};

__global__ void move(u64 d, u64 s, u64 n) {
  __shared__ Shared sh;
  const u64 first = d & ~15ull, aligned = (d + 15) & ~15ull, end = d + n;
  const u64 stop = end & ~15ull;
  const u64 t = (u64)blockIdx.x * sizeof sh.bytes;
  // The bytes of the first and the last, incomplete vector.
  if (blockIdx.x == 0) {
    const u64 a = first + threadIdx.x;
    if (threadIdx.x < 16 && a >= d && a < aligned && a < end) *(char*)a = *(const char*)(a - d + s);
    const u64 b = stop + threadIdx.x - 16;
    if (threadIdx.x >= 16 && threadIdx.x < 32 && b >= aligned && b >= stop && b < end)
      *(char*)b = *(const char*)(b - d + s);
  }
  if (threadIdx.x != 0 || aligned >= stop || aligned + t >= stop) return;
  const u64 left = stop - aligned - t;
  const u32 size = left < sizeof sh.bytes ? (u32)left : (u32)sizeof sh.bytes;
  const u32 bar = (u32)__cvta_generic_to_shared(&sh.mbar),
            mem = (u32)__cvta_generic_to_shared(sh.bytes);
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "mbarrier.init.shared::cta.b64 [%0], 1;\n"
      "fence.proxy.async;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1, [%0];\n"
      "L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
      "@!p bra L;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%4], [%2], %1;\n"
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\n"
      "}\n" ::"r"(bar),
      "r"(size), "r"(mem), "l"(aligned - d + s + t), "l"(aligned + t)
      : "memory");
}

__global__ void crawl(char* d, const char* s, u64 n) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
    d[i] = s[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  if ((u64)dest % 16 == (u64)src % 16)
    move<<<(u32)((bytes + 6143) / 6144), 32>>>((u64)dest, (u64)src, bytes);
  else
    crawl<<<1024, 256>>>((char*)dest, (const char*)src, bytes);
  if (cudaGetLastError() != cudaSuccess) std::abort();
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, sizeof(__nv_bfloat16) * static_cast<size_t>(N));
}
