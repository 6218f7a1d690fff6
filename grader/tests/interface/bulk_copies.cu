// Calls every bulk copy, bulk reduction, group wait and cache policy of the interface: it only has
// to compile.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "shared.cuh"

__global__ void bulk_copies(unsigned char* global, uint64_t policy) {
  __shared__ Shared smem;
  uint64_t* bar = &smem.bar;
  cp_async_bulk_global_to_shared(smem.tile, global, BYTES, bar);
  cp_async_bulk_global_to_shared(smem.tile, global, BYTES, bar, policy);
  cp_async_bulk_global_to_shared_multicast(smem.tile, global, BYTES, bar, MASK);
  cp_async_bulk_global_to_shared_multicast(smem.tile, global, BYTES, bar, MASK, policy);
  cp_async_bulk_shared_to_global(global, smem.tile, BYTES);
  cp_async_bulk_shared_to_global(global, smem.tile, BYTES, policy);
  cp_async_bulk_shared_to_remote_shared(map_to_cta(smem.tile, 1), smem.tile, BYTES,
                                        map_to_cta(bar, 1));
  cp_async_bulk_prefetch(global, BYTES);
  cp_async_bulk_prefetch(global, BYTES, policy);
}

__global__ void bulk_groups() {
  tma_commit_group();
  tma_store_commit_group();
  tma_wait_until_pending<0>();
  tma_wait_until_pending<7>();
  tma_store_wait_until_pending<1>();
  tma_wait_until_pending_read<2>();
  tma_store_wait_until_pending_read<0>();
}

__global__ void cache_policies(uint64_t* policies) {
  policies[0] = create_policy_evict_first(0.5f);
  policies[1] = create_policy_evict_normal(1.0f);
  policies[2] = create_policy_evict_last(0.25f);
  policies[3] = create_policy_evict_unchanged(1.0f);
  policies[4] = CACHE_POLICY_EVICT_FIRST;
  policies[5] = CACHE_POLICY_EVICT_NORMAL;
  policies[6] = CACHE_POLICY_EVICT_LAST;
}

// One kernel a combination of operation and type that PTX has in global memory.
template <ReduceOp OP, typename T>
__global__ void bulk_reduction(T* global, uint64_t policy) {
  __shared__ alignas(16) unsigned char tile[BYTES];
  const T* smem_src = reinterpret_cast<const T*>(tile);
  cp_reduce_async_bulk_shared_to_global<OP>(global, smem_src, BYTES);
  cp_reduce_async_bulk_shared_to_global<OP>(global, smem_src, BYTES, policy);
}

template __global__ void bulk_reduction<ReduceOp::add>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(int32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(uint64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(int64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(float*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(double*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(__half*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::add>(__nv_bfloat16*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(int32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(uint64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(int64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(__half*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::min>(__nv_bfloat16*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(int32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(uint64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(int64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(__half*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::max>(__nv_bfloat16*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::inc>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::dec>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::bit_and>(uint32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::bit_or>(int32_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::bit_xor>(uint64_t*, uint64_t);
template __global__ void bulk_reduction<ReduceOp::bit_and>(int64_t*, uint64_t);

// One kernel a combination that PTX has in shared memory.
template <ReduceOp OP, typename T>
__global__ void remote_reduction(T*) {
  __shared__ Shared smem;
  cp_reduce_async_bulk_shared_to_remote_shared<OP>(map_to_cta(smem.tile, 1),
                                                   reinterpret_cast<const T*>(smem.tile), BYTES,
                                                   map_to_cta(&smem.bar, 1));
}

template __global__ void remote_reduction<ReduceOp::add>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::add>(int32_t*);
template __global__ void remote_reduction<ReduceOp::add>(uint64_t*);
template __global__ void remote_reduction<ReduceOp::add>(int64_t*);
template __global__ void remote_reduction<ReduceOp::min>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::min>(int32_t*);
template __global__ void remote_reduction<ReduceOp::max>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::max>(int32_t*);
template __global__ void remote_reduction<ReduceOp::inc>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::dec>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::bit_and>(uint32_t*);
template __global__ void remote_reduction<ReduceOp::bit_or>(int32_t*);
template __global__ void remote_reduction<ReduceOp::bit_xor>(uint32_t*);
