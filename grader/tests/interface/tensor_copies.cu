// Calls every tensor load, store, reduction and prefetch of the interface: it only has to compile.
#include "shared.cuh"

__global__ void tensor_loads(const __grid_constant__ CUtensorMap map, uint64_t policy) {
  __shared__ Shared smem;
  uint64_t* bar = &smem.bar;
  cp_async_bulk_tensor_1d_global_to_shared(smem.tile, &map, 0, bar);
  cp_async_bulk_tensor_1d_global_to_shared(smem.tile, &map, 0, bar, policy);
  cp_async_bulk_tensor_2d_global_to_shared(smem.tile, &map, 0, 1, bar);
  cp_async_bulk_tensor_2d_global_to_shared(smem.tile, &map, 0, 1, bar, policy);
  cp_async_bulk_tensor_3d_global_to_shared(smem.tile, &map, 0, 1, 2, bar);
  cp_async_bulk_tensor_3d_global_to_shared(smem.tile, &map, 0, 1, 2, bar, policy);
  cp_async_bulk_tensor_4d_global_to_shared(smem.tile, &map, 0, 1, 2, 3, bar);
  cp_async_bulk_tensor_4d_global_to_shared(smem.tile, &map, 0, 1, 2, 3, bar, policy);
  cp_async_bulk_tensor_5d_global_to_shared(smem.tile, &map, 0, 1, 2, 3, 4, bar);
  cp_async_bulk_tensor_5d_global_to_shared(smem.tile, &map, 0, 1, 2, 3, 4, bar, policy);
  cp_async_bulk_tensor_1d_global_to_shared_multicast(smem.tile, &map, 0, bar, MASK);
  cp_async_bulk_tensor_1d_global_to_shared_multicast(smem.tile, &map, 0, bar, MASK, policy);
  cp_async_bulk_tensor_2d_global_to_shared_multicast(smem.tile, &map, 0, 1, bar, MASK);
  cp_async_bulk_tensor_2d_global_to_shared_multicast(smem.tile, &map, 0, 1, bar, MASK, policy);
  cp_async_bulk_tensor_3d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, bar, MASK);
  cp_async_bulk_tensor_3d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, bar, MASK, policy);
  cp_async_bulk_tensor_4d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, 3, bar, MASK);
  cp_async_bulk_tensor_4d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, 3, bar, MASK,
                                                     policy);
  cp_async_bulk_tensor_5d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, 3, 4, bar, MASK);
  cp_async_bulk_tensor_5d_global_to_shared_multicast(smem.tile, &map, 0, 1, 2, 3, 4, bar, MASK,
                                                     policy);
}

__global__ void tensor_stores(const __grid_constant__ CUtensorMap map, uint64_t policy) {
  __shared__ Shared smem;
  cp_async_bulk_tensor_1d_shared_to_global(&map, 0, smem.tile);
  cp_async_bulk_tensor_1d_shared_to_global(&map, 0, smem.tile, policy);
  cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 1, smem.tile);
  cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 1, smem.tile, policy);
  cp_async_bulk_tensor_3d_shared_to_global(&map, 0, 1, 2, smem.tile);
  cp_async_bulk_tensor_3d_shared_to_global(&map, 0, 1, 2, smem.tile, policy);
  cp_async_bulk_tensor_4d_shared_to_global(&map, 0, 1, 2, 3, smem.tile);
  cp_async_bulk_tensor_4d_shared_to_global(&map, 0, 1, 2, 3, smem.tile, policy);
  cp_async_bulk_tensor_5d_shared_to_global(&map, 0, 1, 2, 3, 4, smem.tile);
  cp_async_bulk_tensor_5d_shared_to_global(&map, 0, 1, 2, 3, 4, smem.tile, policy);
}

template <ReduceOp OP>
__global__ void tensor_reductions(const __grid_constant__ CUtensorMap map, uint64_t policy) {
  __shared__ Shared smem;
  cp_reduce_async_bulk_tensor_1d_shared_to_global<OP>(&map, 0, smem.tile);
  cp_reduce_async_bulk_tensor_1d_shared_to_global<OP>(&map, 0, smem.tile, policy);
  cp_reduce_async_bulk_tensor_2d_shared_to_global<OP>(&map, 0, 1, smem.tile);
  cp_reduce_async_bulk_tensor_2d_shared_to_global<OP>(&map, 0, 1, smem.tile, policy);
  cp_reduce_async_bulk_tensor_3d_shared_to_global<OP>(&map, 0, 1, 2, smem.tile);
  cp_reduce_async_bulk_tensor_3d_shared_to_global<OP>(&map, 0, 1, 2, smem.tile, policy);
  cp_reduce_async_bulk_tensor_4d_shared_to_global<OP>(&map, 0, 1, 2, 3, smem.tile);
  cp_reduce_async_bulk_tensor_4d_shared_to_global<OP>(&map, 0, 1, 2, 3, smem.tile, policy);
  cp_reduce_async_bulk_tensor_5d_shared_to_global<OP>(&map, 0, 1, 2, 3, 4, smem.tile);
  cp_reduce_async_bulk_tensor_5d_shared_to_global<OP>(&map, 0, 1, 2, 3, 4, smem.tile, policy);
}

template __global__ void tensor_reductions<ReduceOp::add>(const __grid_constant__ CUtensorMap,
                                                          uint64_t);
template __global__ void tensor_reductions<ReduceOp::min>(const __grid_constant__ CUtensorMap,
                                                          uint64_t);
template __global__ void tensor_reductions<ReduceOp::max>(const __grid_constant__ CUtensorMap,
                                                          uint64_t);
template __global__ void tensor_reductions<ReduceOp::inc>(const __grid_constant__ CUtensorMap,
                                                          uint64_t);
template __global__ void tensor_reductions<ReduceOp::dec>(const __grid_constant__ CUtensorMap,
                                                          uint64_t);
template __global__ void tensor_reductions<ReduceOp::bit_and>(const __grid_constant__ CUtensorMap,
                                                              uint64_t);
template __global__ void tensor_reductions<ReduceOp::bit_or>(const __grid_constant__ CUtensorMap,
                                                             uint64_t);
template __global__ void tensor_reductions<ReduceOp::bit_xor>(const __grid_constant__ CUtensorMap,
                                                              uint64_t);

__global__ void tensor_prefetches(const __grid_constant__ CUtensorMap map, uint64_t policy) {
  prefetch_tensor_map(&map);
  cp_async_bulk_prefetch_tensor_1d(&map, 0);
  cp_async_bulk_prefetch_tensor_1d(&map, 0, policy);
  cp_async_bulk_prefetch_tensor_2d(&map, 0, 1);
  cp_async_bulk_prefetch_tensor_2d(&map, 0, 1, policy);
  cp_async_bulk_prefetch_tensor_3d(&map, 0, 1, 2);
  cp_async_bulk_prefetch_tensor_3d(&map, 0, 1, 2, policy);
  cp_async_bulk_prefetch_tensor_4d(&map, 0, 1, 2, 3);
  cp_async_bulk_prefetch_tensor_4d(&map, 0, 1, 2, 3, policy);
  cp_async_bulk_prefetch_tensor_5d(&map, 0, 1, 2, 3, 4);
  cp_async_bulk_prefetch_tensor_5d(&map, 0, 1, 2, 3, 4, policy);
}
