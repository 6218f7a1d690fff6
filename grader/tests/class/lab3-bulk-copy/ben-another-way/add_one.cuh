// One warp per CTA, one tile per turn, all of it through libcu++ instead of the course's header.
#pragma once

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int WARP = 32;

template <int TILE_INTS>
__global__ void __launch_bounds__(WARP) add_one_in_tiles(int* data, size_t count) {
  __shared__ alignas(128) int tile[TILE_INTS];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier loaded;
  if (threadIdx.x == 0) {
    init(&loaded, WARP);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncwarp();

  const size_t whole = count & ~size_t{3};
  for (size_t begin = size_t{blockIdx.x} * TILE_INTS; begin < whole;
       begin += size_t{gridDim.x} * TILE_INTS) {
    const int ints = static_cast<int>(whole - begin < TILE_INTS ? whole - begin : TILE_INTS);
    const int bytes = ints * static_cast<int>(sizeof(int));

    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, data + begin, bytes,
                         cuda::device::barrier_native_handle(loaded));
      token = cuda::device::barrier_arrive_tx(loaded, 1, bytes);
    } else {
      token = loaded.arrive();
    }
    loaded.wait(cuda::std::move(token));

    for (int i = threadIdx.x; i < ints; i += WARP) ++tile[i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();

    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + begin, tile, bytes);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncwarp();  // nobody starts the next load before this tile has been read
  }

  if (blockIdx.x == 0 && whole + threadIdx.x < count) ++data[whole + threadIdx.x];
}
