// Causes of findings that depended on timing: cp.async and its arrivals at mbarriers.
#include "causes.cuh"

// Copies of the next lap come too early for the same reason as those of this one.
__global__ void more_copies_arrive_than_are_counted(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][64];
  __shared__ uint64_t full[3];
  const int t = threadIdx.x;
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 32);
    init_barrier(&full[1], 64);
    init_barrier(&full[2], 64);
    fence_barrier_init();
  }
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    cp_async_4(&tile[i][t], in + 64 * i + t);
    cp_async_arrive(&full[i]);
  }
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    const int s = i % 3, n = (i + 2) % 3;
    wait_parity(&full[s], i / 3 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 2 < 5) cp_async_4(&tile[n][t], in + 64 * (i + 2) + t);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

// Who comes to know of an mbarrier by waiting for it has used it before that.
__global__ void uses_a_ring_that_may_not_be_there(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 64);
    init_barrier(&full[1], 64);
    fence_barrier_init();
  }
  cp_async_4(&tile[0][t], in + t);
  cp_async_arrive(&full[0]);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = i % 2, n = (i + 1) % 2;
    wait_parity(&full[s], i / 2 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 1 < 4) cp_async_4(&tile[n][t], in + 64 * (i + 1) + t);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

// The phases of copies that arrive twice end before the copies of the next lap.
__global__ void copies_arrive_twice_ahead(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  start_stages(full, 64);
  cp_async_4(&tile[0][t], in + t);
  cp_async_arrive(&full[0]);
  cp_async_arrive(&full[0]);
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int s = i % 2, n = (i + 1) % 2;
    wait_parity(&full[s], i / 2 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 1 < 3) cp_async_4(&tile[n][t], in + 64 * (i + 1) + t);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

// One warp's arrivals alone are as many as are counted, where its copies are done at once.
__global__ void copies_arrive_twice_in_each_lap(const int* in, int* out, int* other) {
  __shared__ alignas(128) int tile[3][64];
  __shared__ uint64_t full[3];
  const int t = threadIdx.x;
  start_stages(full, 64);
  for (int i = 0; i < 2; ++i) {
    cp_async_4(&tile[i][t], in + 64 * i + t);
    cp_async_arrive(&full[i]);
  }
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    const int s = i % 3, n = (i + 2) % 3;
    wait_parity(&full[s], i / 3 % 2);
    sum += tile[s][(t + 1) % 64];
    __syncthreads();
    if (i + 2 < 5) cp_async_4(&tile[n][t], in + 64 * (i + 2) + t);
    cp_async_arrive(&full[n]);
    cp_async_arrive(&full[n]);
  }
  out[t] = sum;
}

constexpr Kernel kernels[] = {
    {"more_copies_arrive_than_are_counted", more_copies_arrive_than_are_counted, 1, 64},
    {"uses_a_ring_that_may_not_be_there", uses_a_ring_that_may_not_be_there, 1, 64},
    {"copies_arrive_twice_ahead", copies_arrive_twice_ahead, 1, 64},
    {"copies_arrive_twice_in_each_lap", copies_arrive_twice_in_each_lap, 1, 64},
};

int main(int, char** arguments) {
  return launch(kernels, arguments[1]);
}
