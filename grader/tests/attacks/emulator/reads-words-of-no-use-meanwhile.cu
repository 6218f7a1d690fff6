// Has one stage where two are asked for: waits for each tile at once, and reads words that nobody
// needs between the start of its copies and the wait for them.
//
// Fails: what is read while a load is in flight counts if a load of an input has brought it, and
// nobody has read it before.
#include <algorithm>

#include "async-copy.cuh"

constexpr int INTS = 1024;

__global__ void reverse(int* dest, const int* src, size_t count) {
  __shared__ alignas(16) int tile[INTS];
  __shared__ volatile int of_no_use[INTS / 4];
  of_no_use[threadIdx.x] = 0;
  for (size_t begin = static_cast<size_t>(blockIdx.x) * INTS; begin < count;
       begin += static_cast<size_t>(gridDim.x) * INTS) {
    const size_t first = begin + threadIdx.x * 4;
    if (first < count) cp_async_16(&tile[threadIdx.x * 4], &src[first]);
    cp_async_commit_group();
    (void)of_no_use[threadIdx.x];
    cp_async_wait_group<0>();
    __syncthreads();
    const int ints = min(count - begin, size_t{INTS});
    for (int i = threadIdx.x; i < ints; i += blockDim.x) dest[begin + i] = tile[ints - 1 - i];
    __syncthreads();
  }
}

void launch_reverse_two_stages(int* dest, const int* src, size_t count) {
  const size_t tiles = (count + INTS - 1) / INTS;
  if (tiles > 0) reverse<<<std::min<size_t>(tiles, 1000), INTS / 4>>>(dest, src, count);
}
