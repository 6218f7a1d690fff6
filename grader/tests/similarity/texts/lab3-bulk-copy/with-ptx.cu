// Without the course's functions: the instructions themselves, from the PTX ISA.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ u32 saddr(const void* p) {
  return (u32)__cvta_generic_to_shared(p);
}

static __device__ void load(u32 dst, const int* src, u32 bytes, u32 bar) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(dst),
      "l"(__cvta_generic_to_global(src)), "r"(bytes), "r"(bar)
      : "memory");
}

static __device__ void store(int* dst, u32 src, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(dst)),
               "r"(src), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

static __device__ void until(u32 bar, u32 phase) {
  asm volatile(
      "{\n .reg .pred ok;\n"
      "again:\n mbarrier.try_wait.parity.shared::cta.b64 ok, [%0], %1;\n @!ok bra again;\n}" ::"r"(
          bar),
      "r"(phase)
      : "memory");
}

// Three thirds of a ring, in the order load, add, store.
enum { THIRD = 1024, LAPS = 3 };

__global__ void kernel(int* d, u64 n) {
  __shared__ __align__(128) int mem[LAPS * THIRD];
  __shared__ u64 mb[LAPS];
  u64 q = n & ~3ull;
  u64 pos = (u64)blockIdx.x * THIRD, hop = (u64)gridDim.x * THIRD;
  if (threadIdx.x == 0) {
    for (int i = 0; i < LAPS; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(saddr(mb + i)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < LAPS - 1; ++i) {
      u64 at = pos + i * hop;
      if (at < q)
        load(saddr(mem + i * THIRD), d + at, 4 * (u32)(q - at < THIRD ? q - at : THIRD),
             saddr(mb + i));
    }
  }
  __syncthreads();
  u32 phases = 0;  // a bit a third
  int i = 0;
  while (pos < q) {
    u32 len = (u32)(q - pos < THIRD ? q - pos : THIRD);
    until(saddr(mb + i), phases >> i & 1);
    phases ^= 1u << i;
    int* t = mem + i * THIRD;
    for (u32 k = threadIdx.x * 2; k < len; k += blockDim.x * 2) {
      int2 v = *(int2*)(t + k);
      v.x++;
      v.y++;
      *(int2*)(t + k) = v;
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store(d + pos, saddr(t), 4 * len);
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      u64 at = pos + (LAPS - 1) * hop;
      int j = (i + LAPS - 1) % LAPS;
      if (at < q)
        load(saddr(mem + j * THIRD), d + at, 4 * (u32)(q - at < THIRD ? q - at : THIRD),
             saddr(mb + j));
    }
    pos += hop;
    i = i == LAPS - 1 ? 0 : i + 1;
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (blockIdx.x == 0 && threadIdx.x < n - q) d[q + threadIdx.x] += 1;
}

static void go(int* d, u64 n, u64 grid) {
  if (n == 0) return;
  u64 need = (n + THIRD - 1) / THIRD;
  kernel<<<(u32)(need < grid ? need : grid), 64>>>(d, n);
  if (cudaPeekAtLastError() != cudaSuccess) {
    fprintf(stderr, "launch: %s\n", cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
}

void launch_add_one_tile(int* data, int count) {
  go(data, count, 1);
}
void launch_add_one(int* data, size_t count) {
  go(data, count, 1u << 31 >> 1);
}
void launch_add_one_pipeline(int* data, size_t count) {
  go(data, count, 1056);
}
