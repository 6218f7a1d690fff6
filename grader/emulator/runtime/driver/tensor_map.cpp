// CUDA Driver API, "Tensor Map Object Management".
#include "emulator/tma/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;
namespace tma = tmaemu::tma;

static_assert(sizeof(CUtensorMap) == tma::opaque_bytes);

namespace {

constexpr std::uintptr_t map_alignment = 64;

// An enumerator as a byte; a value that no byte holds stays one that no rule accepts.
template <class Target, class Source>
Target narrow(Source value) {
  const auto number = static_cast<unsigned>(value);
  return static_cast<Target>(static_cast<std::uint8_t>(std::min(number, 255u)));
}

Error refuse(const char* name, const std::string& reason) {
  explain(std::string(name) + " refused: " + reason);
  return Error::invalid_value;
}

Error write(const char* name, const tma::TensorMap& map, CUtensorMap* opaque) {
  if (const common::Status valid = tma::validate(map); !valid) {
    return refuse(name, valid.error().message);
  }
  const auto bytes = tma::encode(map);
  std::memcpy(opaque, bytes.data(), bytes.size());
  return Error::success;
}

Error check_pointer(const char* name, const void* opaque) {
  if (opaque == nullptr) return refuse(name, "the tensor map is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(opaque) % map_alignment != 0) {
    return refuse(name, "the tensor map itself must lie at a multiple of 64 bytes");
  }
  return Error::success;
}

// What the tiled and the im2col calls have in common.
struct CommonArguments {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t* global_size;
  const cuuint64_t* global_stride;
  const cuuint32_t* element_stride;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

tma::TensorMap common_part(const CommonArguments& from) {
  tma::TensorMap map;
  map.type = narrow<tma::DataType>(from.type);
  map.rank = static_cast<int>(from.rank);
  map.global_address = reinterpret_cast<std::uint64_t>(from.address);
  std::copy_n(from.global_size, from.rank, map.global_size.begin());
  if (from.rank > 1) std::copy_n(from.global_stride, from.rank - 1, map.global_stride.begin());
  std::copy_n(from.element_stride, from.rank, map.element_stride.begin());
  map.interleave = narrow<tma::Interleave>(from.interleave);
  map.swizzle = narrow<tmaemu::Swizzle>(from.swizzle);
  map.l2_promotion = narrow<std::uint8_t>(from.promotion);
  map.fill = narrow<tma::OutOfBoundsFill>(from.fill);
  return map;
}

}  // namespace

extern "C" {

// Encoding needs neither a context nor a device: on hardware too it only fills in the 128 bytes.
CUresult cuTensorMapEncodeTiled(CUtensorMap* opaque, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* global_size,
                                const cuuint64_t* global_stride, const cuuint32_t* box_size,
                                const cuuint32_t* element_stride, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  constexpr const char* name = "cuTensorMapEncodeTiled";
  if (const Error error = check_pointer(name, opaque); error != Error::success) {
    return result_of(error);
  }
  if (rank < 1 || rank > tma::max_rank) {
    return result_of(
        refuse(name, "the rank is " + std::to_string(rank) + ", and has to be 1 to 5"));
  }
  // The strides, too, where rank 1 has none: measured on an H200.
  if (!global_size || !global_stride || !box_size || !element_stride) {
    return result_of(refuse(name, "an array of sizes or strides is a null pointer"));
  }
  tma::TensorMap map = common_part({type, rank, address, global_size, global_stride, element_stride,
                                    interleave, swizzle, promotion, fill});
  std::copy_n(box_size, rank, map.box_size.begin());
  return result_of(write(name, map, opaque));
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* opaque, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* global_size,
                                 const cuuint64_t* global_stride, const int* lower_corner,
                                 const int* upper_corner, cuuint32_t channels_per_pixel,
                                 cuuint32_t pixels_per_column, const cuuint32_t* element_stride,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  constexpr const char* name = "cuTensorMapEncodeIm2col";
  if (const Error error = check_pointer(name, opaque); error != Error::success) {
    return result_of(error);
  }
  if (rank < 3 || rank > tma::max_rank) {
    return result_of(
        refuse(name, "the rank is " + std::to_string(rank) + ", and has to be 3 to 5"));
  }
  if (!global_size || !global_stride || !element_stride || !lower_corner || !upper_corner) {
    return result_of(refuse(name, "an array of sizes, strides or corners is a null pointer"));
  }
  tma::TensorMap map = common_part({type, rank, address, global_size, global_stride, element_stride,
                                    interleave, swizzle, promotion, fill});
  map.mode = tma::Mode::im2col;
  std::copy_n(lower_corner, rank - 2, map.lower_corner.begin());
  std::copy_n(upper_corner, rank - 2, map.upper_corner.begin());
  map.channels_per_pixel = channels_per_pixel;
  map.pixels_per_column = pixels_per_column;
  return result_of(write(name, map, opaque));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* opaque, void* address) {
  constexpr const char* name = "cuTensorMapReplaceAddress";
  if (const Error error = check_pointer(name, opaque); error != Error::success) {
    return result_of(error);
  }
  const std::span<const std::byte, tma::opaque_bytes> bytes(
      reinterpret_cast<const std::byte*>(opaque), tma::opaque_bytes);
  auto map = tma::decode(bytes);
  if (!map) return result_of(refuse(name, map.error().message));
  map->global_address = reinterpret_cast<std::uint64_t>(address);
  return result_of(write(name, *map, opaque));
}

}  // extern "C"
