// By what a launch is known again: all that it has in common with another launch of the same
// kernel on arrays of another size. A grader asks by it whether what it times is what it judged.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace tmaemu {

// A tensor map without the tensor: what one operation through it moves, and how.
struct MapShape {
  std::uint8_t mode = 0;  // the numbers of tma/tensor_map.h
  std::uint8_t type = 0;
  std::uint8_t rank = 0;
  std::uint8_t interleave = 0;
  std::uint8_t swizzle = 0;
  std::array<std::uint32_t, 5> box{};  // im2col: channels of a pixel, and pixels
  std::array<std::uint32_t, 5> element_stride{};

  bool operator==(const MapShape&) const = default;
};

struct Launched {
  static constexpr std::uint32_t max_maps = 6;

  std::uint32_t module = 0;  // its place among the device code of the program's file
  std::uint32_t kernel = 0;  // its place in the module
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> cluster{};
  std::uint32_t map_count = 0;  // may be more than are kept
  // Tensor maps among its parameters, and those that the program wrote to the device before it.
  std::array<MapShape, max_maps> maps{};
  std::array<char, 96> name{};  // mangled, cut

  bool operator==(const Launched&) const = default;
};

// What one call of a program asked of the device, each kind of launch once.
struct LaunchedSet {
  static constexpr std::uint32_t max_launches = 12;

  std::uint32_t count = 0;          // max_launches + 1: more than are kept
  std::uint32_t device_copies = 0;  // 1: memory was copied on the device without a kernel
  std::uint32_t fills = 0;          // 1: memory was filled without a kernel
  std::uint64_t ctas = 0;           // of all launches together
  std::array<Launched, max_launches> launches{};

  std::span<const Launched> kept() const {
    return std::span(launches).first(std::min(count, max_launches));
  }
};

}  // namespace tmaemu
