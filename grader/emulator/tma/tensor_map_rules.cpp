// The rules of cuTensorMapEncodeTiled, one function a parameter, in the order of its documentation
// (CUDA Driver API, "Tensor Map Object Management"). Where the driver and its documentation differ,
// the driver is right: what it accepts was recorded on an H200 (driver 580.159.04, CUDA 13.0).
#include <optional>
#include <sstream>
#include <string>

#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {
namespace {

// The broken rule in words; nothing where the parameter is right.
using Broken = std::optional<std::string>;

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

std::string entry(const char* array, int index) {
  return text(array, "[", index, "]");
}

template <class Enum>
int number(Enum value) {
  return static_cast<int>(value);
}

Broken check_type(const TensorMap& map) {
  if (number(map.type) <= number(DataType::tf32_ftz)) return {};
  if (number(map.type) <= 15) {
    return text("tensorDataType ", number(map.type),
                " is a packed sub-byte type, which devices of compute capability 9.0 lack");
  }
  return text("tensorDataType ", number(map.type), " is not a CUtensorMapDataType");
}

Broken check_enumerations(const TensorMap& map) {
  if (number(map.interleave) > number(Interleave::bytes32)) {
    return text("interleave ", number(map.interleave), " is not a CUtensorMapInterleave");
  }
  if (number(map.swizzle) > number(Swizzle::bytes128)) {
    if (number(map.swizzle) <= 6) {
      return text("swizzle ", number(map.swizzle),
                  " (128B with another atom than 16 bytes) needs compute capability 10.0");
    }
    return text("swizzle ", number(map.swizzle), " is not a CUtensorMapSwizzle");
  }
  if (map.l2_promotion > 3) {
    return text("l2Promotion ", number(map.l2_promotion), " is not a CUtensorMapL2promotion");
  }
  if (number(map.fill) > number(OutOfBoundsFill::nan_request_zero_fma)) {
    return text("oobFill ", number(map.fill), " is not a CUtensorMapFloatOOBfill");
  }
  return {};
}

Broken check_rank(const TensorMap& map) {
  if (map.rank < 1 || map.rank > max_rank) {
    return text("tensorRank = ", map.rank, " is not in 1..5");
  }
  if (map.interleave != Interleave::none && map.rank < 3) {
    return text("tensorRank = ", map.rank, ", but an interleaved layout needs 3 to 5 dimensions");
  }
  return {};
}

// INTERLEAVE_32B asks 32 bytes of alignment where every other layout asks 16.
std::uint64_t alignment(const TensorMap& map) {
  return map.interleave == Interleave::bytes32 ? 32 : 16;
}

const char* for_interleave_32(const TensorMap& map) {
  return map.interleave == Interleave::bytes32 ? ", as INTERLEAVE_32B needs" : "";
}

Broken check_address(const TensorMap& map) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 57;
  if (map.global_address >= limit) {
    return text("globalAddress = 0x", std::hex, map.global_address, " is not below 2^57");
  }
  if (map.global_address % alignment(map) == 0) return {};
  return text("globalAddress = 0x", std::hex, map.global_address, std::dec,
              " is not a multiple of ", alignment(map), for_interleave_32(map));
}

Broken check_sizes(const TensorMap& map) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 32;
  for (int i = 0; i < map.rank; ++i) {
    const std::uint64_t size = map.global_size[i];
    if (size == 0) return text(entry("globalDim", i), " is 0: a tensor has at least one element");
    if (size > largest) return text(entry("globalDim", i), " = ", size, " is more than 2^32");
  }
  return {};
}

Broken check_strides(const TensorMap& map) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 40;
  for (int i = 0; i < map.rank - 1; ++i) {
    const std::uint64_t stride = map.global_stride[i];
    if (stride % alignment(map) != 0) {
      return text(entry("globalStrides", i), " = ", stride, " bytes is not a multiple of ",
                  alignment(map), for_interleave_32(map));
    }
    if (stride >= limit) {
      return text(entry("globalStrides", i), " = ", stride, " bytes is not less than 2^40");
    }
  }
  return {};
}

Broken check_box(const TensorMap& map) {
  for (int i = 0; i < map.rank; ++i) {
    const std::uint32_t size = map.box_size[i];
    if (size < 1 || size > 256) return text(entry("boxDim", i), " = ", size, " is not in 1..256");
  }
  return {};
}

Broken check_element_strides(const TensorMap& map) {
  for (int i = 0; i < map.rank; ++i) {
    const std::uint32_t stride = map.element_stride[i];
    if (stride < 1 || stride > 8) {
      return text(entry("elementStrides", i), " = ", stride, " is not in 1..8");
    }
  }
  return {};
}

Broken check_inner_box(const TensorMap& map) {
  const std::size_t element = size_of(map.type);
  const std::size_t inner = map.box_size[0] * element;
  const std::string is = text("boxDim[0] * element size = ", map.box_size[0], " * ", element, " = ",
                              inner, " bytes is ");
  if (inner % 16 != 0) return is + "not a multiple of 16";
  if (map.swizzle == Swizzle::none || map.interleave != Interleave::none) return {};
  const std::size_t span = std::size_t{16} << number(map.swizzle);
  if (inner > span) return text(is, "more than the ", span, " bytes of SWIZZLE_", span, "B");
  return {};
}

// The driver's idea of what a box takes: it rounds boxDim / elementStrides down, and knows neither
// that the TMA engine rounds up, nor that it ignores elementStrides[0], nor interleaved slices.
Broken check_box_bytes(const TensorMap& map) {
  constexpr std::uint64_t limit = 228 * 1024;  // shared memory of an SM
  std::uint64_t bytes = size_of(map.type);
  for (int i = 0; i < map.rank; ++i) bytes *= map.box_size[i] / map.element_stride[i];
  if (bytes <= limit) return {};
  return text("the box takes ", bytes, " bytes of shared memory (element size times boxDim / ",
              "elementStrides of every dimension), more than the ", limit, " of an SM");
}

Broken check_fill(const TensorMap& map) {
  if (map.fill == OutOfBoundsFill::zero || is_floating(map.type)) return {};
  return text("oobFill asks for NaN, but tensorDataType ", name_of(map.type),
              " is not a floating-point type");
}

}  // namespace

common::Status validate(const TensorMap& map) {
  // Types, enumerations and rank first: the later rules rely on them.
  for (const auto check :
       {check_type, check_enumerations, check_rank, check_address, check_sizes, check_strides,
        check_box, check_element_strides, check_inner_box, check_box_bytes, check_fill}) {
    if (Broken broken = check(map)) return common::Error{*std::move(broken)};
  }
  return {};
}

}  // namespace tmaemu::tma
