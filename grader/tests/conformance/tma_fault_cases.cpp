// Operations that the hardware answers with an error, a few for each rule, and some at the edge of
// a rule. The recorded answer is the error's number.
#include "tests/conformance/tma_cases.h"

namespace conformance {
namespace {

constexpr std::uint32_t u8 = 0, u16 = 1, u32 = 2, s32 = 3, u64 = 4, s64 = 5, f16 = 6, f32 = 7,
                        f64 = 8, bf16 = 9, f32_ftz = 10, tf32 = 11;
constexpr std::uint32_t add = 0, min = 1, max = 2, inc = 3, dec = 4, bit_and = 5, bit_or = 6,
                        bit_xor = 7;

// A box of 64 bytes by four rows at {0, 1} of a tensor of 256 bytes by eight rows.
Case tensor_case(Kind kind, std::uint32_t type) {
  Case made{};
  const std::uint32_t element = element_bytes(type);
  made.map.type = type;
  made.map.rank = 2;
  made.map.size = {256 / element, 8, 1, 1, 1};
  made.map.stride = {256, 2048, 2048, 2048};
  made.map.box = {64 / element, 4, 1, 1, 1};
  made.map.element_stride = {1, 1, 1, 1, 1};
  Operation& operation = made.operation;
  operation.kind = kind;
  operation.rank = 2;
  operation.coordinates[1] = 1;
  operation.bytes = 256;
  operation.shared_size = 1024;
  operation.global_size = 4096;
  operation.cluster = 1;
  return made;
}

Case starting_at(Kind kind, std::uint32_t type, std::int32_t coordinate) {
  Case made = tensor_case(kind, type);
  made.operation.coordinates[0] = coordinate;
  return made;
}

Case reducing(std::uint32_t type, std::uint32_t form) {
  Case made = tensor_case(Kind::tensor_reduce, type);
  made.operation.form = form;
  return made;
}

Case of_ranks(Kind kind, std::uint32_t instruction, std::uint32_t map) {
  Case made = tensor_case(kind, u32);
  made.operation.rank = instruction;
  made.map.rank = map;
  return made;
}

Case at_shared(Case made, std::uint32_t offset) {
  made.operation.shared_offset = offset;
  return made;
}

Case at_global(Case made, std::uint64_t address) {
  made.map.address = address;
  return made;
}

Case without_map(Case made) {
  made.map_is_missing = true;
  return made;
}

Case bulk_case(Kind kind, std::uint32_t bytes, std::uint32_t shared, std::uint32_t global) {
  Case made = tensor_case(kind, u32);
  made.operation.bytes = bytes;
  made.operation.shared_offset = shared;
  made.operation.global_offset = global;
  made.operation.second_offset = 512;
  return made;
}

// Four pixels of 64 bytes at {0, 1, 1, 0} of two images of 8 by 4 pixels, 16 channels of 32 bits.
Case im2col_case(Kind kind) {
  Case made = tensor_case(kind, u32);
  made.map.is_im2col = made.operation.is_im2col = true;
  made.map.rank = made.operation.rank = 4;
  made.map.size = {16, 8, 4, 2, 1};
  made.map.stride = {64, 512, 2048, 4096};
  made.map.channels = 16;
  made.map.pixels = 4;
  made.operation.coordinates[2] = 1;
  return made;
}

Case im2col_at(Kind kind, std::int32_t c, std::int32_t w, std::int32_t h, std::int32_t n) {
  Case made = im2col_case(kind);
  made.operation.coordinates[0] = c;
  made.operation.coordinates[1] = w;
  made.operation.coordinates[2] = h;
  made.operation.coordinates[3] = n;
  return made;
}

Case with_corners(Case made, std::int32_t lower, std::int32_t upper) {
  made.map.lower = {lower, lower, 0};
  made.map.upper = {upper, upper, 0};
  return made;
}

Case in_mode(Case made, bool instruction, bool map) {
  made.operation.is_im2col = instruction;
  made.map.is_im2col = map;
  return made;
}

}  // namespace

std::vector<Case> fault_cases() {
  constexpr Kind load = Kind::tensor_load, store = Kind::tensor_store;
  constexpr std::uint64_t beyond_memory = std::uint64_t{1} << 44;
  return {
      // Boxes that do not start at a multiple of 16 bytes.
      starting_at(load, u32, 1),
      starting_at(load, f32, -1),
      starting_at(load, u32, INT32_MAX),
      starting_at(load, u8, 8),
      starting_at(load, bf16, 4),
      starting_at(load, f64, 1),
      starting_at(store, u32, 1),
      starting_at(store, bf16, 4),
      starting_at(store, u32, 1001),
      starting_at(Kind::tensor_reduce, u32, 2),
      starting_at(Kind::tensor_reduce, f16, 1004),
      // Written boxes that begin before the tensor.
      starting_at(store, u32, -4),
      starting_at(Kind::tensor_reduce, u32, -4),
      // Reductions that the data type does not have.
      reducing(u8, add),
      reducing(u16, bit_xor),
      reducing(s32, inc),
      reducing(u64, dec),
      reducing(s64, add),
      reducing(s64, bit_and),
      reducing(f16, bit_or),
      reducing(f32, min),
      reducing(f64, max),
      reducing(bf16, inc),
      reducing(f32_ftz, bit_and),
      reducing(tf32, max),
      // Instructions and maps that differ in rank, and a map that was never encoded.
      of_ranks(load, 2, 3),
      of_ranks(load, 3, 2),
      of_ranks(store, 1, 2),
      without_map(tensor_case(load, u32)),
      // Misaligned tiles.
      at_shared(tensor_case(load, u32), 64),
      at_shared(tensor_case(store, u32), 64),
      at_shared(tensor_case(load, u8), 16),
      // Memory that is not there.
      at_global(tensor_case(load, u32), beyond_memory),
      at_global(tensor_case(store, u32), beyond_memory),
      // Bulk copies of no bytes, and misaligned ones. Sizes that are no multiple of 16 are not
      // here:
      // PTX leaves undefined what they do; an H200 moves something, and the emulator refuses.
      bulk_case(Kind::bulk_load, 0, 0, 0),
      bulk_case(Kind::bulk_load, 16, 8, 0),
      bulk_case(Kind::bulk_load, 16, 0, 8),
      bulk_case(Kind::bulk_store, 16, 8, 0),
      bulk_case(Kind::bulk_copy_shared, 16, 8, 0),
      // Instructions and maps that differ in mode.
      in_mode(im2col_case(load), false, true),
      in_mode(im2col_case(load), true, false),
      in_mode(im2col_case(store), false, true),
      in_mode(im2col_case(store), true, false),
      // Pixels that do not start at a multiple of 16 bytes, and written ones before the tensor.
      im2col_at(load, 1, 1, 1, 0),
      im2col_at(store, 2, 1, 1, 0),
      im2col_at(store, -4, 1, 1, 0),
      im2col_at(store, 0, 1, 1, -1),
      im2col_at(Kind::tensor_reduce, -4, 1, 1, 0),
      // Written pixels in a bounding box that leaves the image.
      with_corners(im2col_case(store), -1, 0),
      with_corners(im2col_case(store), 0, 1),
  };
}

}  // namespace conformance
