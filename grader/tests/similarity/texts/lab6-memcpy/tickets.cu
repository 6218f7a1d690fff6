// CTAs draw tickets from a counter that lies in dest's own kernel launch: the last one to leave
// puts it back.
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

enum : unsigned { TICKET = 5120, BUFFERS = 4 };

__device__ unsigned drawn, gone;

__global__ void draw(char* out, const char* in, unsigned long long bytes) {
  __shared__ __align__(64) char buffer[BUFFERS][TICKET];
  __shared__ uint64_t come[BUFFERS];
  const unsigned long long tickets = (bytes + TICKET - 1) / TICKET;
  for (unsigned b = 0; b < BUFFERS; ++b) init_barrier(&come[b], 1);
  async_proxy_fence();
  unsigned long long held[BUFFERS];
  unsigned laps[BUFFERS] = {};
  unsigned long long next = 0;
  unsigned holding = 0, oldest = 0;
  bool more = true;
  while (more || holding) {
    if (more && holding < BUFFERS) {
      next = atomicAdd(&drawn, 1u);
      if (next >= tickets) {
        more = false;
        continue;
      }
      const unsigned b = (oldest + holding++) % BUFFERS;
      held[b] = next * TICKET;
      const int size = bytes - held[b] < TICKET ? int(bytes - held[b]) : int(TICKET);
      tma_store_wait_until_pending_read<0>();
      expect_bytes_and_arrive(&come[b], size);
      cp_async_bulk_global_to_shared(buffer[b], in + held[b], size, &come[b]);
    } else {
      const unsigned b = oldest;
      wait(&come[b], laps[b]++ & 1);
      const int size = bytes - held[b] < TICKET ? int(bytes - held[b]) : int(TICKET);
      cp_async_bulk_shared_to_global(out + held[b], buffer[b], size);
      tma_store_commit_group();
      oldest = (oldest + 1) % BUFFERS;
      --holding;
    }
  }
  tma_store_wait_until_pending_read<0>();
  __threadfence();
  if (atomicAdd(&gone, 1u) == gridDim.x - 1) drawn = gone = 0;
}

__global__ void edges(char* out, const char* in, unsigned long long bytes, unsigned from_front,
                      unsigned from_back) {
  if (threadIdx.x < from_front) out[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < from_back) out[bytes - 1 - threadIdx.x] = in[bytes - 1 - threadIdx.x];
}

__global__ void slow(char* out, const char* in, unsigned long long bytes) {
  unsigned long long i = blockIdx.x;
  i = i * 1024 + threadIdx.x;
  if (i < bytes) out[i] = in[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  char* out = (char*)dest;
  const char* in = (const char*)src;
  if (bytes == 0) return;
  if (((uintptr_t)out - (uintptr_t)in) % 16 != 0) {
    slow<<<(unsigned)((bytes + 1023) / 1024), 1024>>>(out, in, bytes);
  } else {
    unsigned front = (unsigned)(16 - (uintptr_t)out % 16) % 16;
    if (front > bytes) front = (unsigned)bytes;
    const unsigned back = (unsigned)((bytes - front) % 16);
    if (front + back > 0) edges<<<1, 16>>>(out, in, bytes, front, back);
    if (bytes > front + back) draw<<<132 * 8, 1>>>(out + front, in + front, bytes - front - back);
  }
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, 2ull * N);
}
