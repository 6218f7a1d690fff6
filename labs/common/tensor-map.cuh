// Tensor maps: how the host tells the TMA engine what a tensor is, and what a tile of it is.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <utility>

#include "cuda-check.cuh"

// Of cuda_fp16.h and cuda_bf16.h, which take the compiler longer than most labs do: who has tensors
// of these types includes them.
struct __half;
struct __nv_bfloat16;

// What most labs leave at its default.
struct TensorMapOptions {
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapL2promotion l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  // For each dimension, 1 to 8: the tile holds every k-th index of what the box spans. The
  // innermost dimension's is ignored.
  std::array<uint32_t, 5> element_strides = {1, 1, 1, 1, 1};
};

// The name of a C++ type in tensor maps.
template <typename T>
constexpr CUtensorMapDataType tensor_map_type() {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  } else if constexpr (std::is_same_v<T, uint16_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  } else if constexpr (std::is_same_v<T, uint32_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_UINT32;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_UINT64;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  } else if constexpr (std::is_same_v<T, __half>) {
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  } else if constexpr (std::is_same_v<T, float>) {
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  } else {
    static_assert(std::is_same_v<T, double>, "tensor maps do not know this element type");
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  }
}

// cuTensorMapEncodeTiled is a function of the driver. Because its address comes from the
// runtime, the program need not be linked with the driver's library (-lcuda).
inline decltype(&cuTensorMapEncodeTiled) tensor_map_encoder() {
  constexpr unsigned CUDA_12_0 = 12000;  // the version that introduced it
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  cuda_check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, CUDA_12_0,
                                              cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    std::fprintf(stderr, "this driver has no cuTensorMapEncodeTiled: it is older than CUDA 12.0\n");
    std::exit(EXIT_FAILURE);
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

// Ends the program and prints where, what was asked for, and the rules; the driver says "invalid
// value".
[[noreturn]] inline void tensor_map_rejected(const CallPlace& from, CUresult result,
                                             const void* global, std::span<const uint64_t> sizes,
                                             std::span<const uint64_t> strides_bytes,
                                             std::span<const uint32_t> box, size_t element_bytes) {
  const char* file = from.file_name();
  if (file[0] == '.' && file[1] == '/') file += 2;
  std::fprintf(stderr, "%s:%u:%u: error: ", file, unsigned{from.line()}, unsigned{from.column()});
  std::fprintf(stderr, "cuTensorMapEncodeTiled rejected this tensor map (CUresult %d):\n", result);
  std::fprintf(stderr, "  address %p, %zu bytes per element\n", global, element_bytes);
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::fprintf(stderr, "  dimension %zu: size %zu, box %u", d, size_t{sizes[d]}, box[d]);
    if (d > 0) std::fprintf(stderr, ", stride %zu bytes", size_t{strides_bytes[d - 1]});
    std::fprintf(stderr, "\n");
  }
  std::fprintf(stderr,
               "The rules (without interleave):\n"
               "  the address is a multiple of 16, not null\n"
               "  each size is 1 to 2^32, each box 1 to 256 elements\n"
               "  box 0 is a multiple of 16 bytes, with a swizzle at most the swizzle's bytes\n"
               "  each stride is a multiple of 16 bytes, below 2^40\n"
               "  each element stride is 1 to 8\n");
  std::exit(EXIT_FAILURE);
}

// As many numbers as a tensor map wants. Any integers will do: an `int` is as good as what the
// driver takes, as long as its value fits.
template <std::integral Number, size_t COUNT>
struct TensorMapNumbers {
  template <std::integral... Given>
  requires(sizeof...(Given) == COUNT) TensorMapNumbers(Given... given)
      : values{checked(given)...} {}
  TensorMapNumbers(const std::array<Number, COUNT>& given) : values(given) {}

  std::array<Number, COUNT> values;

 private:
  template <std::integral Given>
  static Number checked(Given given) {
    if (!std::in_range<Number>(given)) {
      std::fprintf(stderr, "make_tensor_map: %lld can be no size, stride or box\n",
                   static_cast<long long>(given));
      std::exit(EXIT_FAILURE);
    }
    return static_cast<Number>(given);
  }
};

// Describes a tensor in global memory and the tile (box) of it that one TMA operation moves.
//
// global         the first element's address, a multiple of 16; through a tensor map one may write
//                what this pointer only reads
// sizes          the tensor's size in elements, innermost (contiguous) dimension first
// strides_bytes  for each dimension but the innermost: bytes from one index to the next, multiples
//                of 16
// box            the tile's size in elements, innermost dimension first, each 1 to 256; box[0]
//                elements are a multiple of 16 bytes
//
// Numbers of any integer type will do, `int` too; each may be a list in braces or a std::array of
// the driver's type (uint64_t, and uint32_t for the box).
//
// Pass the result to the kernel by value, as `const __grid_constant__ CUtensorMap`, and take its
// address there. CUDA driver API, "Tensor Map Object Management"; PTX ISA, "Tensors".
template <typename T, size_t RANK>
CUtensorMap make_tensor_map(const T* global, const TensorMapNumbers<uint64_t, RANK>& sizes,
                            const TensorMapNumbers<uint64_t, RANK - 1>& strides_bytes,
                            const TensorMapNumbers<uint32_t, RANK>& box,
                            const TensorMapOptions& options = {},
                            const CallPlace& from = CallPlace::current()) {
  static_assert(1 <= RANK && RANK <= 5, "tensors have 1 to 5 dimensions");
  static const auto encode_tiled = tensor_map_encoder();
  std::array<uint64_t, RANK> strides{};  // one too many: valid even for one dimension
  for (size_t i = 0; i + 1 < RANK; ++i) strides[i] = strides_bytes.values[i];

  // A member, so that it lies where the driver takes it, at a multiple of 64 bytes (CUDA driver
  // API, cuTensorMapEncodeTiled): a variable that is returned may be made right in the caller's
  // object, which a compiler need not have aligned.
  struct {
    CUtensorMap map;
  } made;
  const CUresult result = encode_tiled(
      &made.map, tensor_map_type<T>(), RANK, const_cast<T*>(global), sizes.values.data(),
      strides.data(), box.values.data(), options.element_strides.data(), options.interleave,
      options.swizzle, options.l2_promotion, options.fill);
  if (result != CUDA_SUCCESS) {
    tensor_map_rejected(from, result, global, sizes.values, strides_bytes.values, box.values,
                        sizeof(T));
  }
  return made.map;
}
