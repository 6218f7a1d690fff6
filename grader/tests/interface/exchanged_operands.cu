// Source and destination exchanged: nvcc must compile it, so that the emulator can say at which
// line. It crashes, and names none, where a pointer that it knows to lead into shared memory is
// made a global address.
#include "async-copy.cuh"
#include "tma-interface.cuh"

__global__ void exchanges_operands(int* data, int bytes) {
  __shared__ alignas(128) int tile[1024];
  __shared__ uint64_t bar;
  cp_async_bulk_global_to_shared(data, tile, bytes, &bar);
  cp_async_bulk_global_to_shared(data, tile, bytes, &bar, CACHE_POLICY_EVICT_FIRST);
  cp_async_bulk_global_to_shared_multicast(data, tile, bytes, &bar, 3);
  cp_async_bulk_global_to_shared_multicast(data, tile, bytes, &bar, 3, CACHE_POLICY_EVICT_FIRST);
  cp_async_bulk_shared_to_global(tile, data, bytes);
  cp_async_bulk_shared_to_global(tile, data, bytes, CACHE_POLICY_EVICT_FIRST);
  cp_reduce_async_bulk_shared_to_global<ReduceOp::add>(tile, data, bytes);
  cp_async_bulk_prefetch(tile, bytes);
  cp_async_16(data, tile);
  cp_async_16_zero_fill(data, tile, 8);
}
