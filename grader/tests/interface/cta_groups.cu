// Calls every function that loads for a CTA group; they exist from sm_100a on: it only has to
// compile.
#include "shared.cuh"

template <int CTA_GROUP>
__global__ void cta_group_loads(const __grid_constant__ CUtensorMap map, uint64_t policy) {
  require_cta_group<CTA_GROUP>();
  __shared__ Shared smem;
  const uint32_t peer = map_to_cta(&smem.bar, 1);
  cp_async_bulk_tensor_1d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, peer);
  cp_async_bulk_tensor_1d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, peer, policy);
  cp_async_bulk_tensor_2d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, peer);
  cp_async_bulk_tensor_2d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, peer,
                                                                policy);
  cp_async_bulk_tensor_3d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, peer);
  cp_async_bulk_tensor_3d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, peer,
                                                                policy);
  cp_async_bulk_tensor_4d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, 3, peer);
  cp_async_bulk_tensor_4d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, 3, peer,
                                                                policy);
  cp_async_bulk_tensor_5d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, 3, 4,
                                                                peer);
  cp_async_bulk_tensor_5d_global_to_shared_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2, 3, 4,
                                                                peer, policy);
  cp_async_bulk_tensor_1d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, peer,
                                                                          MASK);
  cp_async_bulk_tensor_1d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, peer,
                                                                          MASK, policy);
  cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1,
                                                                          peer, MASK);
  cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1,
                                                                          peer, MASK, policy);
  cp_async_bulk_tensor_3d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          peer, MASK);
  cp_async_bulk_tensor_3d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          peer, MASK, policy);
  cp_async_bulk_tensor_4d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          3, peer, MASK);
  cp_async_bulk_tensor_4d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          3, peer, MASK, policy);
  cp_async_bulk_tensor_5d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          3, 4, peer, MASK);
  cp_async_bulk_tensor_5d_global_to_shared_multicast_cta_group<CTA_GROUP>(smem.tile, &map, 0, 1, 2,
                                                                          3, 4, peer, MASK, policy);
}

template __global__ void cta_group_loads<1>(const __grid_constant__ CUtensorMap, uint64_t);
template __global__ void cta_group_loads<2>(const __grid_constant__ CUtensorMap, uint64_t);
