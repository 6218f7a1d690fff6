// Tensor maps and operations in im2col mode, drawn as those in tiled mode are.
#include <algorithm>

#include "tests/conformance/tma_cases.h"

namespace conformance {
namespace {

constexpr int map_case_count = 6000;
constexpr int operation_case_count = 2400;

std::int32_t between(Random& random, std::int32_t least, std::int32_t most) {
  return least +
         static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(most - least + 1)));
}

MapArguments draw_map_case(Random& random) {
  MapArguments map{};
  map.is_im2col = true;
  // Half of the cases take one step over a limit; the others combine what is allowed.
  const bool wild = random.one_in(2);
  const auto rarely = [&] { return wild && random.one_in(12); };
  map.interleave = random.one_in(3) ? 1 + random.below(rarely() ? 3 : 2) : 0;
  map.type = random.below(rarely() ? 18 : data_types);
  map.rank = rarely() ? random.below(7) : 3 + random.below(3);
  map.swizzle = random.below(rarely() ? 8 : 4);
  map.l2_promotion = random.below(rarely() ? 6 : 4);
  map.fill = random.below(rarely() ? 4 : is_floating(map.type) || random.one_in(20) ? 2 : 1);
  map.address = 0x7f0000000000 + 32 * random.below(1 << 20);
  if (rarely()) map.address += 1u << random.below(6);
  if (rarely()) map.address = std::uint64_t{1} << (40 + random.below(24));
  const std::uint32_t element = map.type < data_types ? element_bytes(map.type) : 1;
  constexpr std::uint64_t sizes[] = {1, 2, 7, 64, 1000, 1 << 20, 0xffffffff, 0x100000000};
  constexpr std::uint64_t bad_sizes[] = {0, 0x100000001, std::uint64_t{1} << 63};
  constexpr std::uint32_t bad_steps[] = {0, 9, 16, 100, 0x80000000};
  constexpr std::uint64_t edge_strides[] = {
      0, 16, 48, 8, 1ull << 40, (1ull << 40) - 16, (1ull << 40) - 32, 1ull << 41, 1ull << 63};
  for (int d = 0; d < 5; ++d) {
    map.size[d] = rarely() ? random.pick(bad_sizes) : random.pick(sizes);
    map.element_stride[d] = random.one_in(2) ? 1 : 1 + random.below(8);
    if (rarely()) map.element_stride[d] = random.pick(bad_steps);
    if (d == 4) break;
    map.stride[d] = 32 * (random.next() % (1ull << (1 + random.below(34))));
    if (rarely()) map.stride[d] = random.pick(edge_strides);
  }
  constexpr std::int32_t limits[] = {1 << 15, 1 << 7, 1 << 4};
  const std::int32_t limit = limits[std::clamp(map.rank, 3u, 5u) - 3];
  constexpr std::int32_t far[] = {INT32_MIN, -32769, 32768, 65536, INT32_MAX};
  for (int i = 0; i < 3; ++i) {
    const std::int32_t reach = random.one_in(2) ? 2 : limit - 1;
    map.lower[i] = between(random, -reach, reach);
    map.upper[i] = between(random, -reach, reach);
    if (random.one_in(10)) map.lower[i] = random.one_in(2) ? -limit : limit - 1;
    if (random.one_in(10)) map.upper[i] = random.one_in(2) ? -limit : limit - 1;
    if (rarely()) map.lower[i] = random.one_in(2) ? -limit - 1 : limit;
    if (rarely()) map.upper[i] = random.one_in(2) ? -limit - 1 : limit;
    if (rarely()) map.lower[i] = random.pick(far);
    if (rarely()) map.upper[i] = random.pick(far);
    // About the edge of an empty bounding box.
    if (random.one_in(6)) {
      const int d = i + (map.interleave == 0 ? 1 : 0);
      map.lower[i] = static_cast<std::int32_t>(map.size[d]) + map.upper[i] + between(random, -2, 1);
    }
  }
  const std::uint32_t chunks = map.swizzle != 0 && !random.one_in(8)
                                   ? 1u << std::min(map.swizzle, 3u)
                                   : std::max(1u, 256 * element / 16);
  map.channels = (1 + random.below(chunks)) * 16 / element;
  map.pixels = 1 + random.below(random.one_in(2) ? 64 : 1024);
  constexpr std::uint32_t bad_channels[] = {0, 1, 3, 257, 512, 0x10010};
  constexpr std::uint32_t bad_pixels[] = {0, 1024, 1025, 4096, 0x10001};
  if (rarely()) map.channels = random.pick(bad_channels);
  if (rarely()) map.channels = 1 + random.below(256);
  if (rarely()) map.pixels = random.pick(bad_pixels);
  return map;
}

// A batch of small images. `is_load`: strides may overlap, and the bounding box may leave the
// image.
void draw_batch(Random& random, bool is_load, Case& drawn) {
  MapArguments& map = drawn.map;
  Operation& operation = drawn.operation;
  while (true) {
    map.is_im2col = true;
    map.interleave = random.one_in(4) ? 1 + random.below(2) : 0;
    map.rank = 3 + random.below(3);
    map.swizzle = random.below(4);
    map.fill = is_floating(map.type) ? random.below(2) : 0;
    const std::uint32_t element = element_bytes(map.type);
    const bool is_interleaved = map.interleave != 0;
    const std::uint32_t position = is_interleaved ? 16 * map.interleave : element;
    const std::uint32_t span = map.swizzle == 0 ? 0 : 16u << map.swizzle;
    const std::uint32_t chunks = map.swizzle == 0 || is_interleaved ? 8 : 1u << map.swizzle;
    map.channels = std::min((1 + random.below(chunks)) * 16 / element, 256u);
    map.pixels = 1 + random.below(random.one_in(3) ? 200 : 40);
    const std::uint32_t row = is_interleaved ? position : map.channels * element;
    const std::uint32_t channel_dimension = is_interleaved ? map.rank - 2 : 0;

    std::uint64_t end = 0;
    std::uint64_t dense = 0;
    for (std::uint32_t d = 0; d < map.rank; ++d) {
      const bool is_channel = d == channel_dimension;
      map.size[d] = is_channel && !is_interleaved ? 1 + random.below(2 * map.channels)
                                                  : 1 + random.below(d + 1 == map.rank ? 4 : 9);
      map.element_stride[d] = random.one_in(2) ? 1 : 1 + random.below(random.one_in(4) ? 8 : 3);
      if (d == 0) {
        dense = (map.size[0] * position + 31) / 32 * 32;
        end = map.size[0] * position;
      } else {
        std::uint64_t stride = dense + 32 * random.below(3);
        if (is_load && random.one_in(8)) stride = 32 * random.below(48);
        map.stride[d - 1] = stride;
        end += (map.size[d] - 1) * stride;
        dense = stride * map.size[d];
      }
      const int size = static_cast<int>(map.size[d]);
      operation.coordinates[d] = between(random, is_load && random.one_in(3) ? -1 : 0, size);
      if (is_channel && !is_interleaved) {
        const int window = static_cast<int>(map.channels) + size;
        operation.coordinates[d] =
            random.one_in(2) ? 0 : between(random, is_load ? -window : 0, window);
        operation.coordinates[d] &= ~static_cast<std::int32_t>(16 / element - 1);
      }
    }
    const int axes = static_cast<int>(map.rank) - 2;
    bool is_empty = false;
    for (int i = 0; i < axes; ++i) {
      const int d = is_interleaved ? i : i + 1;
      map.lower[i] = between(random, is_load ? -3 : 0, 2);
      map.upper[i] = between(random, -3, is_load ? 2 : 0);
      const int last = static_cast<int>(map.size[d]) - 1 + map.upper[i];
      is_empty = is_empty || last < map.lower[i];
      if (is_empty) break;
      operation.coordinates[d] = between(random, map.lower[i], last);
      constexpr std::uint32_t limits[] = {1 << 16, 1 << 8, 1 << 5};
      operation.offsets[i] = random.one_in(3) ? 0 : random.below(5);
      if (random.one_in(20)) operation.offsets[i] = random.below(limits[axes - 1]);
      if (!is_load) operation.offsets[i] = 0;
    }
    operation.shared_offset = 128 * random.below(16);
    operation.global_offset = 32 * random.below(8);
    const std::uint64_t shared =
        std::uint64_t{map.pixels} * std::max(row, is_interleaved ? 0 : span);
    const std::uint64_t shared_end = operation.shared_offset + shared + 256;
    const std::uint64_t global_end = operation.global_offset + end + 64;
    if (is_empty || shared_end > shared_bytes || global_end > slot_bytes) continue;
    map.address = operation.global_offset;
    map.l2_promotion = random.below(4);
    operation.rank = map.rank;
    operation.is_im2col = true;
    operation.bytes = map.pixels * row;
    operation.shared_size = static_cast<std::uint32_t>((shared_end + 15) / 16 * 16);
    operation.global_size = static_cast<std::uint32_t>((global_end + 15) / 16 * 16);
    operation.values = values_of_type(map.type);
    return;
  }
}

Case draw_operation_case(Random& random) {
  Case drawn{};
  Operation& operation = drawn.operation;
  operation.seed = random.next();
  operation.cluster = 1;
  constexpr Kind mix[] = {Kind::tensor_load, Kind::tensor_load, Kind::tensor_load,
                          Kind::tensor_store, Kind::tensor_reduce};
  operation.kind = random.pick(mix);
  do {
    drawn.map.type = random.below(data_types);
    operation.form = operation.kind == Kind::tensor_reduce ? random.below(8) : 0;
  } while (operation.kind == Kind::tensor_reduce &&
           (reductions_of_type(drawn.map.type) >> operation.form & 1) == 0);
  draw_batch(random, operation.kind == Kind::tensor_load, drawn);
  return drawn;
}

}  // namespace

std::vector<MapArguments> im2col_map_cases() {
  Random random(3);
  std::vector<MapArguments> cases;
  for (int i = 0; i < map_case_count; ++i) cases.push_back(draw_map_case(random));
  return cases;
}

std::vector<Case> im2col_operation_cases() {
  Random random(4);
  std::vector<Case> cases;
  for (int i = 0; i < operation_case_count; ++i) cases.push_back(draw_operation_case(random));
  return cases;
}

}  // namespace conformance
