// Tensor maps changed on the device, and the fences that they need.
//
// The TMA engine reads tensor maps through their own proxy (the tensormap proxy), and keeps
// copies of them. A kernel that changes a map therefore
//   1. changes it in shared or global memory: the tensor_map_set_* functions,
//   2. publishes it: tensor_map_fence_release() by the writer, or, if it was changed in shared
//      memory, tensor_map_copy_and_release(),
//   3. synchronizes with the users by ordinary means, if they are other lanes,
//   4. and each user calls tensor_map_fence_acquire() before its TMA operation.
//
// map is aligned to 64 bytes (CUtensorMap is) and lies in shared or global memory, never in a
// kernel parameter. The set functions are per lane, one lane per map, and need an
// architecture-specific target (sm_90a). PTX ISA, "tensormap.replace", unless stated otherwise.
#pragma once

#include "address.cuh"

// PTX's numbers for element types; from f32_ftz on they differ from CUtensorMapDataType's.
enum class TensorMapElement {
  u8 = 0,
  u16 = 1,
  u32 = 2,
  s32 = 3,
  u64 = 4,
  s64 = 5,
  f16 = 6,
  f32 = 7,
  f32_ftz = 8,
  f64 = 9,
  bf16 = 10,
  tf32 = 11,
  tf32_ftz = 12
};

// Sets the address of the tensor's first element (global memory, a multiple of 16).
__device__ static __forceinline__ void tensor_map_set_global_address(CUtensorMap* map,
                                                                     const void* address) {
  asm volatile("tensormap.replace.tile.global_address.b1024.b64 [%0], %1;" ::"l"(map),
               "l"(global_address(address))
               : "memory");
}

// Sets the number of dimensions, 1 to 5. (PTX's operand is one less.)
__device__ static __forceinline__ void tensor_map_set_rank(CUtensorMap* map, uint32_t rank) {
  asm volatile("tensormap.replace.tile.rank.b1024.b32 [%0], %1;" ::"l"(map), "r"(rank - 1)
               : "memory");
}

// Sets the tensor's size in dimension D (0 is the innermost), in elements.
template <int D>
__device__ static __forceinline__ void tensor_map_set_size(CUtensorMap* map, uint32_t elements) {
  static_assert(0 <= D && D < 5, "dimensions are 0 (innermost) to 4");
  asm volatile("tensormap.replace.tile.global_dim.b1024.b32 [%0], %2, %1;" ::"l"(map),
               "r"(elements), "n"(D)
               : "memory");
}

// Sets the distance between neighbors in dimension D, 1 to 4, in bytes (a multiple of 16).
// Dimension 0 is contiguous. (PTX counts strides from 0.)
template <int D>
__device__ static __forceinline__ void tensor_map_set_stride(CUtensorMap* map, uint64_t bytes) {
  static_assert(1 <= D && D < 5, "strides belong to dimensions 1 to 4");
  asm volatile("tensormap.replace.tile.global_stride.b1024.b64 [%0], %2, %1;" ::"l"(map),
               "l"(bytes), "n"(D - 1)
               : "memory");
}

// Sets the tile's size in dimension D, 1 to 256 elements.
template <int D>
__device__ static __forceinline__ void tensor_map_set_box(CUtensorMap* map, uint32_t elements) {
  static_assert(0 <= D && D < 5, "dimensions are 0 (innermost) to 4");
  asm volatile("tensormap.replace.tile.box_dim.b1024.b32 [%0], %2, %1;" ::"l"(map), "r"(elements),
               "n"(D)
               : "memory");
}

// Sets the element stride in dimension D, 1 to 8: 2 takes every other element.
template <int D>
__device__ static __forceinline__ void tensor_map_set_element_stride(CUtensorMap* map,
                                                                     uint32_t stride) {
  static_assert(0 <= D && D < 5, "dimensions are 0 (innermost) to 4");
  asm volatile("tensormap.replace.tile.element_stride.b1024.b32 [%0], %2, %1;" ::"l"(map),
               "r"(stride), "n"(D)
               : "memory");
}

// Sets the type of the elements.
template <TensorMapElement ELEMENT>
__device__ static __forceinline__ void tensor_map_set_element(CUtensorMap* map) {
  asm volatile("tensormap.replace.tile.elemtype.b1024.b32 [%0], %1;" ::"l"(map),
               "n"(static_cast<int>(ELEMENT))
               : "memory");
}

// Sets the interleaving: none, 16 bytes or 32 bytes.
template <CUtensorMapInterleave INTERLEAVE>
__device__ static __forceinline__ void tensor_map_set_interleave(CUtensorMap* map) {
  static_assert(INTERLEAVE <= CU_TENSOR_MAP_INTERLEAVE_32B, "PTX knows none, 16B and 32B");
  asm volatile("tensormap.replace.tile.interleave_layout.b1024.b32 [%0], %1;" ::"l"(map),
               "n"(static_cast<int>(INTERLEAVE))
               : "memory");
}

// Sets the swizzle: none, 32, 64 or 128 bytes.
template <CUtensorMapSwizzle SWIZZLE>
__device__ static __forceinline__ void tensor_map_set_swizzle(CUtensorMap* map) {
  static_assert(SWIZZLE <= CU_TENSOR_MAP_SWIZZLE_128B, "sm_90 knows none, 32B, 64B and 128B");
  asm volatile("tensormap.replace.tile.swizzle_mode.b1024.b32 [%0], %1;" ::"l"(map),
               "n"(static_cast<int>(SWIZZLE))
               : "memory");
}

// Sets what a load delivers for elements outside the tensor: zero, or a NaN.
template <CUtensorMapFloatOOBfill FILL>
__device__ static __forceinline__ void tensor_map_set_fill(CUtensorMap* map) {
  asm volatile("tensormap.replace.tile.fill_mode.b1024.b32 [%0], %1;" ::"l"(map),
               "n"(static_cast<int>(FILL))
               : "memory");
}

// Makes this lane's earlier writes to tensor maps in global memory available to TMA operations of
// this GPU that come after tensor_map_fence_acquire(). Per lane. PTX ISA, "membar/fence",
// .proxy.tensormap.
__device__ static __forceinline__ void tensor_map_fence_release() {
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}

// Makes TMA operations of this lane that follow use the map as it was last released, not an older
// copy. Per lane: the one that issues them. PTX ISA, "membar/fence", .proxy.tensormap.
__device__ static __forceinline__ void tensor_map_fence_acquire(const CUtensorMap* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

// Copies the 128 bytes of a map from shared to global memory (both aligned to 128) and
// releases the copy as tensor_map_fence_release() does. All 32 lanes of the warp call it together.
// PTX ISA, "tensormap.cp_fenceproxy".
__device__ static __forceinline__ void tensor_map_copy_and_release(CUtensorMap* map,
                                                                   const CUtensorMap* smem_map) {
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
      " [%0], [%1], 128;" ::"l"(global_address(map)),
      "r"(shared_address(smem_map))
      : "memory");
}
