// By way of libcu++: cuda::barrier, and the engine's instructions as <cuda/ptx> has them.
#include <cuda/barrier>
#include <cuda/ptx>

#include "cuda-check.cuh"

namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

template <unsigned N>
struct alignas(16) Window {
  int value[N];
};

template <unsigned N>
__device__ void bring(Window<N>& window, Barrier& barrier, const int* from, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                 cuda::device::barrier_native_handle(barrier), bytes);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, window.value, from, bytes,
                     cuda::device::barrier_native_handle(barrier));
}

template <unsigned N>
__device__ void take_away(Window<N>& window, int* to, unsigned bytes) {
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, window.value, bytes);
  ptx::cp_async_bulk_commit_group();
}

template <unsigned N>
__global__ void through_windows(int* data, std::size_t count) {
  __shared__ Window<N> windows[2];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barriers[2];
  const std::size_t whole = count - count % 4;
  const std::size_t pace = std::size_t(N) * gridDim.x;
  std::size_t here = std::size_t(N) * blockIdx.x;
  if (threadIdx.x == 0) {
    init(&barriers[0], 1);
    init(&barriers[1], 1);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  auto bytes_from = [=](std::size_t at) { return unsigned(whole - at < N ? whole - at : N) * 4u; };
  if (threadIdx.x == 0 && here < whole)
    bring(windows[0], barriers[0], data + here, bytes_from(here));
  for (unsigned lap = 0; here < whole; here += pace, ++lap) {
    const unsigned now = lap % 2, then = 1 - now;
    if (threadIdx.x == 0 && here + pace < whole) {
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
      bring(windows[then], barriers[then], data + here + pace, bytes_from(here + pace));
    }
    barriers[now].wait_parity(lap / 2 % 2);
    for (unsigned i = threadIdx.x; i < bytes_from(here) / 4; i += blockDim.x)
      windows[now].value[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) take_away(windows[now], data + here, bytes_from(here));
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  if (blockIdx.x == 0 && threadIdx.x < count % 4) data[whole + threadIdx.x] += 1;
}

template <unsigned N>
void open_windows(int* data, std::size_t count, std::size_t limit, unsigned threads) {
  if (count == 0) return;
  const std::size_t ctas = (count + N - 1) / N;
  through_windows<N><<<unsigned(ctas < limit ? ctas : limit), threads>>>(data, count);
  cuda_check(cudaGetLastError());
}

void launch_add_one_tile(int* data, int count) {
  open_windows<4096>(data, std::size_t(count), 1, 512);
}
void launch_add_one(int* data, std::size_t count) {
  open_windows<768>(data, count, 1u << 30, 128);
}
void launch_add_one_pipeline(int* data, std::size_t count) {
  open_windows<4096>(data, count, 132 * 4, 512);
}
