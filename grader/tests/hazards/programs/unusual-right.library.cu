// Right programs that synchronize through libcu++ and cooperative groups. There is nothing to find
// in them; what the harness calls mistaken is the right kernel once more.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "harness.h"

namespace cg = cooperative_groups;

template <auto kernel, int (*expected)(int) = the_input, Shape shape = Shape{}>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

//: pair barrier_object
__global__ void barrier_object(const int* in, int* out) {
  __shared__ int tile[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ BlockBarrier written;
  if (threadIdx.x == 0) init(&written, blockDim.x);
  __syncthreads();
  for (int lap = 0; lap < 3; ++lap) {
    tile[threadIdx.x] = in[threadIdx.x] + lap;
    auto token = written.arrive();
    written.wait(std::move(token));
    out[threadIdx.x] = tile[127 - threadIdx.x] - lap;
    written.arrive_and_wait();
  }
}

//: pair bulk_copy_on_a_barrier_object
__global__ void bulk_copy_on_a_barrier_object(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ BlockBarrier loaded;
  if (threadIdx.x == 0) {
    init(&loaded, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  BlockBarrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in, sizeof(tile), loaded);
    token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
  } else {
    token = loaded.arrive();
  }
  loaded.wait(std::move(token));
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair pipeline_of_two_stages
__global__ void pipeline_of_two_stages(const int* in, int* out) {
  __shared__ int stages[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int fetched = 0, used = 0; used < 4; ++used) {
    for (; fetched < 4 && fetched < used + 2; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stages[fetched % 2], in + 128 * fetched, sizeof(stages[0]),
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[128 * used + threadIdx.x] = stages[used % 2][threadIdx.x];
    pipeline.consumer_release();
  }
}

//: pair reduction_of_tiles
int sum_of_128(int) {
  return 128 * 129 / 2;
}
__global__ void reduction_of_tiles(const int* in, int* out) {
  __shared__ int sums[4];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) out[0] = sums[0] + sums[1] + sums[2] + sums[3];
}

//: pair copy_of_the_group
__global__ void copy_of_the_group(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(tile));
  cg::wait(block);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair atomic_reference
// Release and acquire by cuda::atomic_ref, from block to block.
__global__ void atomic_reference(const int* in, int* out, int* flag) {
  int* message = flag + 32;
  const cuda::atomic_ref<int, cuda::thread_scope_device> told(*flag);
  if (blockIdx.x == 0) {
    message[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      told.store(1, cuda::memory_order_release);
      told.notify_all();
    }
  } else {
    if (threadIdx.x == 0) told.wait(0, cuda::memory_order_acquire);
    __syncthreads();
    out[threadIdx.x] = message[127 - threadIdx.x];
  }
}

//: pair barrier_of_the_grid
int of_the_next_block(int i) {
  return (i + 128) % 512 + 1;
}
__global__ void writes_for_the_next(const int* in, int* out, int* messages) {
  const unsigned at = blockIdx.x * 128 + threadIdx.x;
  messages[at] = in[at];
  cg::this_grid().sync();
  out[at] = messages[(at + 128) % (gridDim.x * 128)];
}
Outcome barrier_of_the_grid() {
  const Memory memory;
  const int* in = memory.in;
  int* out = memory.out;
  int* messages = memory.scratch;
  void* arguments[] = {&in, &out, &messages};
  note(cudaLaunchCooperativeKernel(writes_for_the_next, 4, 128, arguments));
  return memory.compare(of_the_next_block, 512);
}

constexpr Pair pairs[] = {
    right<barrier_object, mirrored>("barrier_object"),
    right<bulk_copy_on_a_barrier_object>("bulk_copy_on_a_barrier_object"),
    right<pipeline_of_two_stages, the_input, Shape{.checked = 512}>("pipeline_of_two_stages"),
    right<reduction_of_tiles, sum_of_128, Shape{.checked = 1}>("reduction_of_tiles"),
    right<copy_of_the_group, mirrored>("copy_of_the_group"),
    right<atomic_reference, mirrored, Shape{.blocks = 2, .threads = 128, .checked = 128}>(
        "atomic_reference"),
    {"barrier_of_the_grid", barrier_of_the_grid, barrier_of_the_grid},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
