// Calls every address, fence, barrier, cluster and tensor-map-editing function of the interface: it
// only has to compile.
#include "shared.cuh"

__global__ void proxy_fences() {
  async_proxy_fence();
  async_proxy_fence_shared();
  async_proxy_fence_global();
  fence_barrier_init();
}

__global__ void mbarriers(uint64_t* results) {
  __shared__ uint64_t barrier;
  uint64_t* bar = &barrier;
  init_barrier(bar, 7);
  arrive(bar, 1);
  const uint64_t token = arrive_token(bar, 1);
  arrive_and_drop(bar, 1);
  expect_bytes(bar, 16);
  complete_bytes(bar, 16);
  expect_bytes_and_arrive(bar, 16);
  results[0] = expect_bytes_and_arrive_token(bar, 16);
  results[1] = pending_count(token);
  results[2] = test_wait(bar, 0);
  results[3] = try_wait(bar, 0);
  results[4] = try_wait(bar, 0, 1000);
  results[5] = test_wait_token(bar, token);
  results[6] = try_wait_token(bar, token);
  wait(bar, 0);
  invalidate_barrier(bar);
}

__global__ void remote_mbarriers(int* results) {
  __shared__ uint64_t barrier;
  const uint32_t remote_bar = map_to_cta(&barrier, 1);
  arrive_remote(remote_bar, 1);
  arrive_remote_after_reads(remote_bar, 1);
  expect_bytes_remote(remote_bar, 16);
  complete_bytes_remote(remote_bar, 16);
  expect_bytes_and_arrive_remote(remote_bar, 16);
  results[0] = test_wait_cluster(&barrier, 1);
  results[1] = try_wait_cluster(&barrier, 1);
  wait_cluster(&barrier, 1);
}

__global__ void addresses(void* global, uint64_t* results) {
  __shared__ uint64_t barrier;
  results[0] = shared_address(&barrier);
  results[1] = global_address(global);
}

__global__ void clusters(uint32_t* results) {
  __shared__ uint64_t barrier;
  cluster_arrive();
  cluster_wait();
  cluster_arrive_relaxed();
  cluster_wait();
  results[0] = cluster_rank();
  results[1] = cluster_size();
  results[2] = rank_of_address(map_to_cta(&barrier, 1));
  results[3] = elect_one_lane();
  results[4] = static_cast<uint32_t>(*pointer_in_cta(&barrier, 1));
}

__device__ void edit(CUtensorMap* map, void* tensor) {
  tensor_map_set_global_address(map, tensor);
  tensor_map_set_rank(map, 5);
  tensor_map_set_size<0>(map, 64);
  tensor_map_set_size<4>(map, 64);
  tensor_map_set_stride<1>(map, 256);
  tensor_map_set_stride<4>(map, 256);
  tensor_map_set_box<0>(map, 8);
  tensor_map_set_box<4>(map, 8);
  tensor_map_set_element_stride<0>(map, 1);
  tensor_map_set_element_stride<4>(map, 2);
  tensor_map_set_element<TensorMapElement::bf16>(map);
  tensor_map_set_interleave<CU_TENSOR_MAP_INTERLEAVE_NONE>(map);
  tensor_map_set_swizzle<CU_TENSOR_MAP_SWIZZLE_128B>(map);
  tensor_map_set_fill<CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA>(map);
}

__global__ void tensor_map_edits(CUtensorMap* map, void* tensor) {
  __shared__ Shared smem;
  edit(&smem.map, tensor);
  tensor_map_copy_and_release(map, &smem.map);
  edit(map, tensor);
  tensor_map_fence_release();
  tensor_map_fence_acquire(map);
}
