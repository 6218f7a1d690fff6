// Few CTAs, one thread each, eight loads under way: a stage is stored as soon as it has landed.
#include <cuda_bf16.h>

#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

#define STAGE 4096
#define DEEP 8

template <class T>
__global__ void deep(T* out, const T* in, unsigned long long quads) {
  extern __shared__ __align__(128) char memory[];
  __shared__ uint64_t flags[DEEP];
  const char* source = (const char*)in;
  char* target = (char*)out;
  const unsigned long long total = quads * 16, jump = (unsigned long long)gridDim.x * STAGE;
  for (int f = 0; f < DEEP; f++) init_barrier(flags + f, 1);
  async_proxy_fence();

  unsigned long long asked = (unsigned long long)blockIdx.x * STAGE, stored = asked;
  unsigned n_asked = 0, n_stored = 0;
  while (stored < total) {
    if (asked < total && n_asked - n_stored < DEEP) {
      if (n_asked >= DEEP) tma_store_wait_until_pending_read<0>();
      const int b = (int)(total - asked < STAGE ? total - asked : STAGE);
      expect_bytes_and_arrive(flags + n_asked % DEEP, b);
      cp_async_bulk_global_to_shared(memory + n_asked % DEEP * STAGE, source + asked, b,
                                     flags + n_asked % DEEP);
      asked += jump;
      n_asked++;
      continue;
    }
    const int s = n_stored % DEEP;
    wait(flags + s, n_stored / DEEP % 2);
    cp_async_bulk_shared_to_global(target + stored, memory + s * STAGE,
                                   (int)(total - stored < STAGE ? total - stored : STAGE));
    tma_store_commit_group();
    stored += jump;
    n_stored++;
  }
  tma_store_wait_until_pending<0>();
}

template <class T>
__global__ void rest(T* out, const T* in, size_t n) {
  size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T>
static void plain(T* out, const T* in, size_t n) {
  if (n) rest<<<(unsigned)((n + 127) / 128), 128>>>(out, in, n);
}

template <class T>
static void through_the_engine(T* out, const T* in, size_t n) {
  const size_t quads = n * sizeof(T) / 16, done = quads * 16 / sizeof(T);
  if (quads) {
    size_t grid = (quads * 16 + STAGE - 1) / STAGE;
    if (grid > 132 * 6) grid = 132 * 6;
    cuda_check(
        cudaFuncSetAttribute(deep<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGE * DEEP));
    deep<T><<<(unsigned)grid, 1, STAGE * DEEP>>>(out, in, quads);
  }
  plain(out + done, in + done, n - done);
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  through_the_engine(dest, src, (size_t)N);
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  char* d = (char*)dest;
  const char* s = (const char*)src;
  size_t lead = 0;
  while (lead < bytes && (size_t)(d + lead) % 16) ++lead;
  plain(d, s, (size_t)(s + lead) % 16 ? bytes : lead);
  if ((size_t)(s + lead) % 16 == 0) through_the_engine(d + lead, s + lead, bytes - lead);
}
