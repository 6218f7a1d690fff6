// The rules of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, one function a parameter, in the
// order of its documentation (CUDA Driver API, "Tensor Map Object Management"). Where the driver
// and its documentation differ, the driver is right: what it accepts was recorded on an H200
// (driver 580.159.04, CUDA 13.0).
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
  if (map.mode == Mode::im2col && (map.rank < 3 || map.rank > max_rank)) {
    return text("tensorRank = ", map.rank, ", but im2col needs 3 to 5 dimensions");
  }
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
  const bool is_tiled = map.mode == Mode::tiled;
  const std::uint32_t elements = is_tiled ? map.box_size[0] : map.channels_per_pixel;
  const std::size_t inner = elements * element;
  const auto is = [&] {
    return text(is_tiled ? "boxDim[0]" : "channelsPerPixel", " * element size = ", elements, " * ",
                element, " = ", inner, " bytes is ");
  };
  if (inner % 16 != 0) return is() + "not a multiple of 16";
  if (map.swizzle == Swizzle::none || map.interleave != Interleave::none) return {};
  const std::size_t span = swizzle_span(map.swizzle);
  if (inner > span) return text(is(), "more than the ", span, " bytes of SWIZZLE_", span, "B");
  return {};
}

constexpr std::uint64_t shared_bytes_of_sm = 228 * 1024;

// The driver's idea of what a box takes: it rounds boxDim / elementStrides down, and knows neither
// that the TMA engine rounds up, nor that it ignores elementStrides[0], nor interleaved slices.
Broken check_box_bytes(const TensorMap& map) {
  std::uint64_t bytes = size_of(map.type);
  for (int i = 0; i < map.rank; ++i) bytes *= map.box_size[i] / map.element_stride[i];
  if (bytes <= shared_bytes_of_sm) return {};
  return text("the box takes ", bytes, " bytes of shared memory (element size times boxDim / ",
              "elementStrides of every dimension), more than the ", shared_bytes_of_sm,
              " of an SM");
}

// The corners' bits shrink as their number grows.
Broken check_corners(const TensorMap& map) {
  constexpr std::int64_t limits[] = {0, 1 << 15, 1 << 7, 1 << 4};
  const std::int64_t limit = limits[map.pixel_rank()];
  for (int i = 0; i < map.pixel_rank(); ++i) {
    for (const auto& [name, corner] : {std::pair{"pixelBoxLowerCorner", map.lower_corner[i]},
                                       std::pair{"pixelBoxUpperCorner", map.upper_corner[i]}}) {
      if (corner >= -limit && corner < limit) continue;
      return text(entry(name, i), " = ", corner, " is not in ", -limit, "..", limit - 1,
                  ", the range for rank ", map.rank);
    }
    // The driver takes the size for a signed number of 32 bits.
    const auto size = static_cast<std::int32_t>(map.global_size[map.pixel_dimension(i)]);
    const std::int64_t last = std::int64_t{size} - 1 + map.upper_corner[i];
    if (last >= map.lower_corner[i]) continue;
    return text("the bounding box is empty: ", entry("pixelBoxLowerCorner", i), " = ",
                map.lower_corner[i], " is beyond its end, ",
                entry("globalDim", map.pixel_dimension(i)), " - 1 + ",
                entry("pixelBoxUpperCorner", i), " = ", last,
                size < 0 || map.global_size[map.pixel_dimension(i)] > UINT32_MAX
                    ? " (the driver takes the size for a signed 32-bit number)"
                    : "");
  }
  return {};
}

Broken check_column(const TensorMap& map) {
  if (map.channels_per_pixel < 1 || map.channels_per_pixel > 256) {
    return text("channelsPerPixel = ", map.channels_per_pixel, " is not in 1..256");
  }
  if (map.pixels_per_column < 1 || map.pixels_per_column > 1024) {
    return text("pixelsPerColumn = ", map.pixels_per_column, " is not in 1..1024");
  }
  return {};
}

Broken check_column_bytes(const TensorMap& map) {
  const std::uint64_t bytes =
      std::uint64_t{size_of(map.type)} * map.channels_per_pixel * map.pixels_per_column;
  if (bytes <= shared_bytes_of_sm) return {};
  return text("the column takes ", bytes, " bytes of shared memory (element size times ",
              "channelsPerPixel times pixelsPerColumn), more than the ", shared_bytes_of_sm,
              " of an SM");
}

Broken check_fill(const TensorMap& map) {
  if (map.fill == OutOfBoundsFill::zero || is_floating(map.type)) return {};
  return text("oobFill asks for NaN, but tensorDataType ", name_of(map.type),
              " is not a floating-point type");
}

}  // namespace

common::Status validate(const TensorMap& map) {
  using Check = Broken (*)(const TensorMap&);
  // Types, enumerations and rank first: the later rules rely on them.
  constexpr Check common_checks[] = {check_type,  check_enumerations, check_rank, check_address,
                                     check_sizes, check_strides,      check_fill};
  constexpr Check tiled_checks[] = {check_box, check_element_strides, check_inner_box,
                                    check_box_bytes};
  constexpr Check im2col_checks[] = {check_corners, check_column, check_element_strides,
                                     check_inner_box, check_column_bytes};
  const bool is_tiled = map.mode == Mode::tiled;
  const std::span<const Check> checks =
      is_tiled ? std::span<const Check>(tiled_checks) : std::span<const Check>(im2col_checks);
  for (const Check check : common_checks) {
    if (Broken broken = check(map)) return common::Error{*std::move(broken)};
  }
  for (const Check check : checks) {
    if (Broken broken = check(map)) return common::Error{*std::move(broken)};
  }
  return {};
}

}  // namespace tmaemu::tma
