// PTX ISA: tensormap.replace. A tensor map in which a field is replaced must be, byte for byte, the
// one that cuTensorMapEncodeTiled makes with the field's new value; so the comparison does not
// depend on how a driver lays a tensor map out. The result is the 64-bit words that differ, a bit
// each.
//
// Not so compared are the box, the element strides, the data type and the swizzle mode:
// cuTensorMapEncodeTiled also writes numbers that it derives from these, and the instruction does
// not change them.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

struct Map {
  std::uint64_t address = 0;
  std::uint64_t type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  std::uint64_t interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  std::uint64_t swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  std::uint64_t fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  std::uint64_t rank = 1;
  std::uint64_t size[5], stride[4];
  std::uint32_t box[5], element_stride[5];
};

void encode(const Map& map, std::uint64_t* words) {
  static const CUresult initialized = cuInit(0);
  alignas(64) CUtensorMap encoded;
  const CUresult result = cuTensorMapEncodeTiled(
      &encoded, static_cast<CUtensorMapDataType>(map.type), static_cast<std::uint32_t>(map.rank),
      reinterpret_cast<void*>(map.address), map.size, map.stride, map.box, map.element_stride,
      static_cast<CUtensorMapInterleave>(map.interleave),
      static_cast<CUtensorMapSwizzle>(map.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
      static_cast<CUtensorMapFloatOOBfill>(map.fill));
  if (initialized != CUDA_SUCCESS || result != CUDA_SUCCESS) {
    std::fprintf(stderr, "conformance_arithmetic: cuTensorMapEncodeTiled: error %d\n", result);
    std::abort();
  }
  std::memcpy(words, &encoded, sizeof encoded);
}

// Which field a form replaces, and the dimension or the immediate value, which ends its name.
struct Target {
  std::string_view field;
  std::size_t number = 0;
};
Target target_of(const Form& form) {
  constexpr std::string_view start = "tensormap.replace.tile.";
  const std::string_view rest = std::string_view(form.name).substr(start.size());
  Target target{rest.substr(0, rest.find('.'))};
  const std::size_t space = form.name.find(' ');
  if (space != form.name.npos) target.number = std::stoul(form.name.substr(space));
  return target;
}

// The map before, the map after, and the new value.
void draw_replacement(const Form& form, std::uint64_t random, std::span<std::uint64_t> sources) {
  std::mt19937_64 generator(random);
  const auto below = [&](std::uint64_t limit) { return generator() % limit; };
  const Target target = target_of(form);
  const bool has_dimension = target.field.ends_with("_dim") || target.field.ends_with("_stride");
  const std::size_t dimension = has_dimension ? target.number : 0;
  Map map;
  map.address = below(1ull << 40) << 4;
  map.rank = std::max<std::uint64_t>(1 + below(5), dimension + 1);
  if (target.field == "global_stride") map.rank = std::max(map.rank, dimension + 2);
  if (target.field == "interleave_layout") map.rank = 3 + below(3);
  for (std::size_t i = 0; i < 5; ++i) {
    map.size[i] = 1 + (generator() >> (32 + below(31)));
    map.box[i] = 1 + static_cast<std::uint32_t>(below(4));
    map.element_stride[i] = 1;
  }
  map.box[0] = 4 << below(3);
  for (std::uint64_t& stride : map.stride) stride = (1 + below(1ull << 35)) << 4;

  Map after = map;
  std::uint64_t value = 0;
  const std::size_t i = dimension;
  if (target.field == "global_address") {
    value = after.address = below(1ull << 40) << 4;
  } else if (target.field == "rank") {
    value = map.rank - 1;  // what cuTensorMapEncodeTiled writes above the rank is its own affair
  } else if (target.field == "global_dim") {
    value = after.size[i] = 1 + (generator() >> (32 + below(31)));
  } else if (target.field == "global_stride") {
    value = after.stride[i] = (1 + below(1ull << 35)) << 4;
  } else if (target.field == "interleave_layout") {
    map.box[0] = after.box[0] = 4;
    map.interleave = below(2);
    after.interleave = target.number;
  } else if (target.field == "fill_mode") {
    map.fill = below(2);
    after.fill = target.number;
  }
  encode(map, &sources[0]);
  encode(after, &sources[16]);
  if (form.sources.size() > 2) sources[32] = value;
}

#define COMPARE(word)                                                         \
  " ld.global.b64 %x, [%s0_at+" #word "*8]; ld.global.b64 %y, [%s1_at+" #word \
  "*8]; setp.ne.b64 %differs, %x, %y; selp.b32 %bit, 1 << " #word             \
  ", 0, %differs; or.b32 %d0, %d0, %bit;"
#define COMPARE_MAPS                                                                               \
  " mov.b32 %d0, 0;" COMPARE(0) COMPARE(1) COMPARE(2) COMPARE(3) COMPARE(4) COMPARE(5) COMPARE(6)  \
      COMPARE(7) COMPARE(8) COMPARE(9) COMPARE(10) COMPARE(11) COMPARE(12) COMPARE(13) COMPARE(14) \
          COMPARE(15)
#define REGISTERS ".reg .b64 %x, %y; .reg .b32 %bit; .reg .pred %differs; "

constexpr FormRow rows[] = {
    {"tensormap.replace.tile.global_address.global.b1024.b64", "b32", "map map b64",
     REGISTERS "$ [%s0_at], %s2;" COMPARE_MAPS},
    {"tensormap.replace.tile.rank.global.b1024.b32", "b32", "map map b32",
     REGISTERS "$ [%s0_at], %s2;" COMPARE_MAPS},
    {"tensormap.replace.tile.{interleave_layout,fill_mode}.global.b1024.b32 {0,1}", "b32",
     "map map", REGISTERS "tensormap.replace.tile.$0.global.b1024.b32 [%s0_at], $1;" COMPARE_MAPS},
    {"tensormap.replace.tile.global_dim.global.b1024.b32 {0,1,2,3,4}", "b32", "map map b32",
     REGISTERS
     "tensormap.replace.tile.global_dim.global.b1024.b32 [%s0_at], $0, %s2;" COMPARE_MAPS},
    {"tensormap.replace.tile.global_stride.global.b1024.b64 {0,1,2,3}", "b32", "map map b64",
     REGISTERS
     "tensormap.replace.tile.global_stride.global.b1024.b64 [%s0_at], $0, %s2;" COMPARE_MAPS},
};

}  // namespace

std::vector<Form> tensor_map_forms() {
  std::vector<Form> forms = forms_of(rows);
  for (Form& form : forms) form.draw = draw_replacement;
  return forms;
}

}  // namespace conformance
