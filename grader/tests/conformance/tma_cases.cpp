// Operations drawn at random, among those that the hardware executes.
#include "tests/conformance/tma_cases.h"

#include <algorithm>

#include "tests/conformance/tma_forms.h"

namespace conformance {
namespace {

constexpr int operation_case_count = 12000;

constexpr std::uint32_t type_bytes[data_types] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr std::uint32_t first_floating = 6;

#define VALUES(name, values) Values::values,
constexpr Values to_global_values[] = {BULK_REDUCE_TO_GLOBAL(VALUES)};
constexpr Values to_shared_values[] = {BULK_REDUCE_TO_SHARED(VALUES)};
#undef VALUES

// Small boxes and tensors, so that edges are met often. `may_overlap`: rows of the tensor may share
// memory, which a store must not have.
void draw_tensor(Random& random, bool may_overlap, Case& drawn) {
  MapArguments& map = drawn.map;
  Operation& operation = drawn.operation;
  while (true) {
    map.interleave = random.one_in(3) ? 1 + random.below(2) : 0;
    map.rank = map.interleave == 0 ? 1 + random.below(5) : 3 + random.below(3);
    map.swizzle = random.below(4);
    map.fill = is_floating(map.type) ? random.below(2) : 0;
    const std::uint32_t element = type_bytes[map.type];
    const std::uint32_t position = map.interleave == 0 ? element : 16 * map.interleave;
    const std::uint32_t span = map.swizzle == 0 ? 0 : 16u << map.swizzle;
    const std::uint32_t chunks = map.swizzle == 0 || map.interleave != 0 ? 8 : 1u << map.swizzle;
    const std::uint32_t reach = map.rank <= 2 ? 40 : 6;
    std::uint64_t shared = 1;
    std::uint64_t expected = position;
    std::uint64_t end = 0;
    std::uint64_t dense = 0;
    for (std::uint32_t d = 0; d < map.rank; ++d) {
      map.box[d] = d == 0 ? (1 + random.below(chunks)) * 16 / element : 1 + random.below(reach);
      map.box[d] = std::min(map.box[d], 256u);
      map.size[d] = 1 + random.below(2 * map.box[d]);
      map.element_stride[d] = random.one_in(2) ? 1 : 1 + random.below(8);
      const bool is_slice = map.interleave != 0 && d == map.rank - 2;
      const std::uint32_t step = d == 0 && map.interleave == 0 ? 1 : map.element_stride[d];
      const std::uint32_t extent = is_slice ? 1 : (map.box[d] + step - 1) / step;
      expected *= extent;
      shared *= d == 0 ? std::max(extent * position, span) : extent;
      if (d == 0) {
        dense = (map.size[0] * position + 31) / 32 * 32;
        end = map.size[0] * position;
      } else {
        std::uint64_t stride = dense + 32 * random.below(3);
        if (may_overlap && random.one_in(4)) stride = 32 * random.below(48);
        map.stride[d - 1] = stride;
        end += (map.size[d] - 1) * stride;
        dense = stride * map.size[d];
      }
      const int window = static_cast<int>(map.box[d] + map.size[d]);
      operation.coordinates[d] =
          random.one_in(3) ? 0 : static_cast<int>(random.below(2 * window)) - window;
      if (random.one_in(200)) operation.coordinates[d] = random.one_in(2) ? INT32_MIN : INT32_MAX;
      // A box that is written begins within the tensor or past its end.
      if (!may_overlap && operation.coordinates[d] < 0) {
        operation.coordinates[d] = ~operation.coordinates[d] % static_cast<int>(map.size[d]);
      }
      // Boxes start at multiples of 16 bytes.
      if (d == 0 && map.interleave == 0) {
        operation.coordinates[0] &= ~static_cast<std::int32_t>(16 / element - 1);
      }
    }
    operation.shared_offset = 128 * random.below(16);
    operation.global_offset = 32 * random.below(8);
    const std::uint64_t shared_end = operation.shared_offset + shared + 256;
    const std::uint64_t global_end = operation.global_offset + end + 64;
    if (shared_end > shared_bytes || global_end > slot_bytes) continue;
    map.address = operation.global_offset;
    map.l2_promotion = random.below(4);
    operation.rank = map.rank;
    operation.bytes = static_cast<std::uint32_t>(expected);
    operation.shared_size = static_cast<std::uint32_t>((shared_end + 15) / 16 * 16);
    operation.global_size = static_cast<std::uint32_t>((global_end + 15) / 16 * 16);
    operation.values = values_of_type(map.type);
    return;
  }
}

void draw_bulk(Random& random, int index, Operation& operation) {
  // The small sizes one by one, the others at random.
  const std::uint32_t chunks =
      1 + (random.one_in(2) ? static_cast<std::uint32_t>(index) % 256 : random.below(1024));
  operation.bytes = 16 * chunks;
  operation.shared_offset = 16 * random.below(64);
  operation.second_offset = operation.shared_offset + operation.bytes + 16 * random.below(16);
  operation.global_offset = 16 * random.below(64);
  operation.shared_size = operation.second_offset + operation.bytes + 64;
  operation.global_size = operation.global_offset + operation.bytes + 64;
}

// Another CTA of a cluster receives what a CTA loads or copies, or several do.
void draw_cluster(Random& random, Operation& operation) {
  operation.cluster = 1;
  const bool to_shared = (kinds_to_shared >> static_cast<int>(operation.kind) & 1) != 0;
  if (!to_shared || !random.one_in(6)) return;
  operation.cluster = random.one_in(2) ? 2 : largest_cluster;
  operation.issuer = random.below(operation.cluster);
  operation.target = random.below(operation.cluster);
  const bool is_load = operation.kind == Kind::tensor_load || operation.kind == Kind::bulk_load;
  if (is_load) operation.multicast = 1 + random.below((1u << operation.cluster) - 1);
}

Case draw_operation_case(Random& random, int index) {
  Case drawn{};
  Operation& operation = drawn.operation;
  operation.seed = random.next();
  constexpr Kind mix[] = {
      Kind::tensor_load,   Kind::tensor_load,   Kind::tensor_load,      Kind::tensor_load,
      Kind::tensor_load,   Kind::tensor_store,  Kind::tensor_store,     Kind::tensor_store,
      Kind::tensor_reduce, Kind::tensor_reduce, Kind::tensor_reduce,    Kind::bulk_load,
      Kind::bulk_store,    Kind::bulk_reduce,   Kind::bulk_copy_shared, Kind::bulk_reduce_shared};
  operation.kind = random.pick(mix);
  switch (operation.kind) {
    case Kind::tensor_load:
      drawn.map.type = random.below(data_types);
      draw_tensor(random, true, drawn);
      break;
    case Kind::tensor_store:
      drawn.map.type = random.below(data_types);
      draw_tensor(random, false, drawn);
      break;
    case Kind::tensor_reduce:
      do {
        drawn.map.type = random.below(data_types);
        operation.form = random.below(8);
      } while ((reductions_of_type(drawn.map.type) >> operation.form & 1) == 0);
      draw_tensor(random, false, drawn);
      break;
    case Kind::bulk_reduce:
      operation.form = random.below(std::size(to_global_values));
      operation.values = to_global_values[operation.form];
      draw_bulk(random, index, operation);
      break;
    case Kind::bulk_reduce_shared:
      operation.form = random.below(std::size(to_shared_values));
      operation.values = to_shared_values[operation.form];
      draw_bulk(random, index, operation);
      break;
    default:
      draw_bulk(random, index, operation);
  }
  draw_cluster(random, operation);
  return drawn;
}

}  // namespace

std::uint32_t element_bytes(std::uint32_t type) {
  return type_bytes[type];
}

bool is_floating(std::uint32_t type) {
  return type >= first_floating && type < data_types;
}

Values values_of_type(std::uint32_t type) {
  if (type < first_floating) return Values::integers;
  if (type == 6) return Values::f16;
  if (type == 9) return Values::bf16;
  return type == 8 ? Values::f64 : Values::f32;
}

std::uint32_t reductions_of_type(std::uint32_t type) {
  constexpr std::uint32_t add = 1, min_max = 6, inc_dec = 0x18, bitwise = 0xe0;
  switch (type) {
    case 2:
      return add | min_max | inc_dec | bitwise;
    case 3:
      return add | min_max | bitwise;
    case 4:
      return add | min_max | bitwise;
    case 5:
      return min_max;
    case 6:
    case 9:
      return add | min_max;
    default:
      return type < first_floating ? 0 : add;
  }
}

std::vector<Case> operation_cases() {
  Random random(2);
  std::vector<Case> cases;
  for (int i = 0; i < operation_case_count; ++i) cases.push_back(draw_operation_case(random, i));
  return cases;
}

}  // namespace conformance
