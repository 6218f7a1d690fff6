#include "emulator/runtime/state/launch_notes.h"

#include <algorithm>
#include <iterator>

#include "emulator/tma/tensor_map.h"

namespace tmaemu::runtime {
namespace {

std::array<std::uint32_t, 3> numbers(const Dimensions& dimensions) {
  return {dimensions.x, dimensions.y, dimensions.z};
}

MapShape shape_of(const tma::TensorMap& map) {
  MapShape shape{static_cast<std::uint8_t>(map.mode),
                 static_cast<std::uint8_t>(map.type),
                 static_cast<std::uint8_t>(map.rank),
                 static_cast<std::uint8_t>(map.interleave),
                 static_cast<std::uint8_t>(map.swizzle),
                 {map.channels_per_pixel, map.pixels_per_column},
                 {}};
  const auto rank = static_cast<std::size_t>(map.rank);
  if (map.mode == tma::Mode::tiled) std::copy_n(map.box_size.begin(), rank, shape.box.begin());
  std::copy_n(map.element_stride.begin(), rank, shape.element_stride.begin());
  return shape;
}

void add_once(std::vector<MapShape>& shapes, const MapShape& shape) {
  if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
}

// Adds the shapes of the tensor maps in the bytes, which lie at multiples of 64 there as in memory.
void add_maps(std::vector<MapShape>& shapes, std::span<const std::byte> bytes) {
  constexpr std::size_t alignment = 64;
  for (std::size_t at = 0; at + tma::opaque_bytes <= bytes.size(); at += alignment) {
    const auto map = tma::decode(bytes.subspan(at).first<tma::opaque_bytes>());
    if (map) add_once(shapes, shape_of(*map));
  }
}

}  // namespace

void LaunchNotes::wrote(std::span<const std::byte> bytes) {
  add_maps(written_, bytes);
}

void LaunchNotes::launched(const Code& code, const call_log::Launch& launch,
                           std::span<const std::byte> parameters) {
  set_.ctas += std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  Launched noted;
  noted.module = code.module;
  noted.kernel = code.kernel;
  noted.block = numbers(launch.block);
  noted.cluster = numbers(launch.cluster);
  code.name.copy(noted.name.data(), noted.name.size() - 1);
  std::vector<MapShape> maps;
  add_maps(maps, parameters);
  for (const MapShape& shape : written_) add_once(maps, shape);
  noted.map_count = static_cast<std::uint32_t>(maps.size());
  std::copy_n(maps.begin(), std::min<std::size_t>(maps.size(), noted.maps.size()),
              noted.maps.begin());

  const auto end = set_.launches.begin() + std::min(set_.count, LaunchedSet::max_launches);
  if (std::find(set_.launches.begin(), end, noted) != end) return;
  if (end != set_.launches.end()) *end = noted;
  set_.count = std::min(set_.count + 1, LaunchedSet::max_launches + 1);
}

}  // namespace tmaemu::runtime
