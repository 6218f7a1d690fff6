// Tensor maps for the accept/reject comparison.
#include <algorithm>

#include "tests/conformance/tma_cases.h"

namespace conformance {
namespace {

constexpr int map_case_count = 24000;

MapArguments draw_map_case(Random& random) {
  MapArguments map{};
  // A third of the cases take one step over a limit; the others combine what is allowed.
  const bool wild = random.one_in(3);
  const auto rarely = [&] { return wild && random.one_in(12); };
  map.interleave = random.below(rarely() ? 4 : 3);
  map.type = random.below(rarely() ? 18 : data_types);
  map.rank =
      map.interleave == 0 || rarely() ? 1 + random.below(rarely() ? 6 : 5) : 3 + random.below(3);
  map.swizzle = random.below(rarely() ? 8 : 4);
  map.l2_promotion = random.below(rarely() ? 6 : 4);
  map.fill = random.below(rarely() ? 4 : is_floating(map.type) || random.one_in(20) ? 2 : 1);
  map.address = 0x7f0000000000 + 32 * random.below(1 << 20);
  if (rarely()) map.address += 1u << random.below(6);
  if (rarely()) map.address = std::uint64_t{1} << (40 + random.below(24));
  if (rarely()) map.address = (std::uint64_t{1} << (40 + random.below(24))) - 32;
  const std::uint32_t element = map.type < data_types ? element_bytes(map.type) : 1;
  const std::uint32_t largest_box = random.one_in(2) ? 16 : random.one_in(2) ? 40 : 256;
  constexpr std::uint64_t sizes[] = {1, 2, 7, 64, 1000, 1 << 20, 0xffffffff, 0x100000000};
  constexpr std::uint64_t bad_sizes[] = {0, 0x100000001, std::uint64_t{1} << 63};
  constexpr std::uint32_t bad_boxes[] = {0, 257, 1000, 0x10001};
  constexpr std::uint32_t bad_steps[] = {0, 9, 16, 100, 0x80000000};
  constexpr std::uint64_t edge_strides[] = {
      0, 16, 48, 8, 1ull << 40, (1ull << 40) - 16, (1ull << 40) - 32, 1ull << 41, 1ull << 63};
  for (int d = 0; d < 5; ++d) {
    map.size[d] = rarely() ? random.pick(bad_sizes) : random.pick(sizes);
    map.box[d] = 1 + random.below(largest_box);
    if (d == 0 && !rarely()) {
      const std::uint32_t chunks = map.swizzle != 0 && !random.one_in(8)
                                       ? 1u << std::min(map.swizzle, 3u)
                                       : std::max(1u, 256 * element / 16);
      map.box[0] = (1 + random.below(chunks)) * 16 / element;
    }
    if (rarely()) map.box[d] = random.pick(bad_boxes);
    map.element_stride[d] = random.one_in(2) ? 1 : 1 + random.below(8);
    if (rarely()) map.element_stride[d] = random.pick(bad_steps);
    if (d == 4) break;
    map.stride[d] = 32 * (random.next() % (1ull << (1 + random.below(34))));
    if (rarely()) map.stride[d] = random.pick(edge_strides);
  }
  return map;
}

}  // namespace

std::vector<MapArguments> map_cases() {
  Random random(1);
  std::vector<MapArguments> cases;
  for (int i = 0; i < map_case_count; ++i) cases.push_back(draw_map_case(random));
  return cases;
}

}  // namespace conformance
