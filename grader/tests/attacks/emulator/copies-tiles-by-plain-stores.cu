// Loads every byte through the engine, as the part asks, and writes it out with plain stores, which
// need neither a group nor a wait. The answer is right.
//
// Fails: the part is about both ways.
#include "tma-interface.cuh"

__global__ void copy_tiles(char* dest, const char* src, size_t bytes, size_t head) {
  __shared__ alignas(16) char tile[4096];
  __shared__ uint64_t loaded;
  const size_t end = bytes - (bytes - head) % 16;
  const size_t begin = head + size_t{blockIdx.x} * sizeof(tile);
  if (blockIdx.x == 0) {
    if (threadIdx.x < head) dest[threadIdx.x] = src[threadIdx.x];
    if (end + threadIdx.x < bytes) dest[end + threadIdx.x] = src[end + threadIdx.x];
  }
  if (begin >= end) return;
  const int size = static_cast<int>(min(end - begin, sizeof(tile)));
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, size);
    cp_async_bulk_global_to_shared(tile, src + begin, size, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);
  for (int i = threadIdx.x; i < size / 16; i += blockDim.x) {
    reinterpret_cast<int4*>(dest + begin)[i] = reinterpret_cast<const int4*>(tile)[i];
  }
}

__global__ void copy_bytes(char* dest, const char* src, size_t bytes) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < bytes) dest[i] = src[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  auto* const to = static_cast<char*>(dest);
  const auto* const from = static_cast<const char*>(src);
  const size_t head = -reinterpret_cast<uintptr_t>(src) % 16;
  if (head == -reinterpret_cast<uintptr_t>(dest) % 16) {
    const auto ctas = static_cast<unsigned>((bytes + 4095) / 4096);
    copy_tiles<<<ctas, 128>>>(to, from, bytes, head < bytes ? head : bytes);
  } else {
    copy_bytes<<<static_cast<unsigned>((bytes + 127) / 128), 128>>>(to, from, bytes);
  }
}
