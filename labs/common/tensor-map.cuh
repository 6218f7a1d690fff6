// Tensor maps: how the host tells the TMA engine what a tensor is, and what a tile of it is.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cuda-check.cuh"

// What most labs leave as it is.
struct TensorMapOptions {
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapL2promotion l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

// The tensor map's name for a C++ element type.
// clang-format off
template <typename T> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE = T::not_a_tensor_map_type;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<uint8_t> = CU_TENSOR_MAP_DATA_TYPE_UINT8;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<uint16_t> = CU_TENSOR_MAP_DATA_TYPE_UINT16;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<uint32_t> = CU_TENSOR_MAP_DATA_TYPE_UINT32;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<int32_t> = CU_TENSOR_MAP_DATA_TYPE_INT32;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<uint64_t> = CU_TENSOR_MAP_DATA_TYPE_UINT64;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<int64_t> = CU_TENSOR_MAP_DATA_TYPE_INT64;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<__half> = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<__nv_bfloat16> = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<float> = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
template <> inline constexpr CUtensorMapDataType TENSOR_MAP_TYPE<double> = CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
// clang-format on

// cuTensorMapEncodeTiled lives in the driver. Asking the runtime for its address spares every
// program that uses it linking with -lcuda.
inline decltype(&cuTensorMapEncodeTiled) tensor_map_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  cuda_check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                              cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    std::fprintf(stderr, "this CUDA driver has no cuTensorMapEncodeTiled: it needs CUDA 12.0\n");
    std::exit(EXIT_FAILURE);
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

// Ends the program with what was asked for and what is allowed; the driver only says "no".
template <int RANK>
[[noreturn]] void tensor_map_rejected(CUresult result, const void* global,
                                      const std::array<uint64_t, RANK>& sizes,
                                      const std::array<uint64_t, RANK - 1>& strides_bytes,
                                      const std::array<uint32_t, RANK>& box, size_t element_bytes) {
  std::fprintf(stderr,
               "cuTensorMapEncodeTiled rejected this tensor map (CUresult %d):\n"
               "  global address %p: a multiple of 16\n"
               "  %zu bytes an element\n",
               static_cast<int>(result), global, element_bytes);
  for (int d = 0; d < RANK; ++d) {
    std::fprintf(stderr,
                 "  dimension %d: size %llu (1 to 2^32), box %u (1 to 256, at most the bytes", d,
                 static_cast<unsigned long long>(sizes[d]), box[d]);
    std::fprintf(
        stderr, d == 0 ? " of a swizzle's span, in bytes a multiple of 16)" : " of shared memory)");
    if (d > 0) {
      std::fprintf(stderr, ", stride %llu bytes (a multiple of 16, below 2^40)",
                   static_cast<unsigned long long>(strides_bytes[d - 1]));
    }
    std::fputc('\n', stderr);
  }
  std::exit(EXIT_FAILURE);
}

// Describes a tensor in global memory and the tile (box) that one TMA operation moves.
//
// global         the first element's address, a multiple of 16
// sizes          the tensor's size in elements, innermost (contiguous) dimension first
// strides_bytes  for each dimension but the innermost: bytes from one index to the next, multiples
// of 16 box            the tile's size in elements, innermost first, each 1 to 256; box[0] elements
// are a
//                multiple of 16 bytes
//
// Pass the result to the kernel by value as `const __grid_constant__ CUtensorMap` and take its
// address there. CUDA driver API, "Tensor Map Object Management"; PTX ISA, "Tensors".
template <typename T, size_t RANK>
CUtensorMap make_tensor_map(T* global, const std::array<uint64_t, RANK>& sizes,
                            const std::array<uint64_t, RANK - 1>& strides_bytes,
                            const std::array<uint32_t, RANK>& box,
                            const TensorMapOptions& options = {}) {
  static_assert(1 <= RANK && RANK <= 5, "tensors have 1 to 5 dimensions");
  static const auto encode_tiled = tensor_map_encoder();
  std::array<uint32_t, RANK> element_strides;
  element_strides.fill(1);
  CUtensorMap map;
  const CUresult result =
      encode_tiled(&map, TENSOR_MAP_TYPE<T>, RANK, global, sizes.data(), strides_bytes.data(),
                   box.data(), element_strides.data(), options.interleave, options.swizzle,
                   options.l2_promotion, options.fill);
  if (result != CUDA_SUCCESS) {
    tensor_map_rejected<RANK>(result, global, sizes, strides_bytes, box, sizeof(T));
  }
  return map;
}
