// The instructions in im2col mode. Included by tma_instructions.cuh.
#pragma once

namespace conformance {

// INSTRUCTION(form, operands before the coordinates, after them, im2col offsets of each rank, ...)
#define EACH_IM2COL_RANK(FORM, BEFORE, AFTER, O3, O4, O5, ...)                                    \
  switch (operation.rank) {                                                                       \
    case 3:                                                                                       \
      asm volatile(FORM("3d") BEFORE "{%1,%2,%3}" AFTER O3 ";" ::"l"(place.map), "r"(c[0]),       \
                   "r"(c[1]), "r"(c[2]), "r"(c[0]), "r"(c[0]), __VA_ARGS__                        \
                   : "memory");                                                                   \
      break;                                                                                      \
    case 4:                                                                                       \
      asm volatile(FORM("4d") BEFORE "{%1,%2,%3,%4}" AFTER O4 ";" ::"l"(place.map), "r"(c[0]),    \
                   "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[0]), __VA_ARGS__                        \
                   : "memory");                                                                   \
      break;                                                                                      \
    case 5:                                                                                       \
      asm volatile(FORM("5d") BEFORE "{%1,%2,%3,%4,%5}" AFTER O5 ";" ::"l"(place.map), "r"(c[0]), \
                   "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), __VA_ARGS__                        \
                   : "memory");                                                                   \
      break;                                                                                      \
  }

#define IM2COL_LOAD_FORM(rank) \
  "cp.async.bulk.tensor." rank ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
#define IM2COL_STORE_FORM(rank) \
  "cp.async.bulk.tensor." rank ".global.shared::cta.im2col_no_offs.bulk_group "

__device__ inline void im2col_load(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  const auto w = static_cast<std::uint16_t>(operation.offsets[0]);
  const auto h = static_cast<std::uint16_t>(operation.offsets[1]);
  const auto d = static_cast<std::uint16_t>(operation.offsets[2]);
  EACH_IM2COL_RANK(IM2COL_LOAD_FORM, "[%6],[%0,", "],[%7],", "{%8}", "{%8,%9}", "{%8,%9,%10}",
                   "r"(place.tile), "r"(place.mbarrier), "h"(w), "h"(h), "h"(d))
}

__device__ inline void im2col_store(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  EACH_IM2COL_RANK(IM2COL_STORE_FORM, "[%0,", "],[%6]", "", "", "", "r"(place.tile))
}

// clang-format off
#define IM2COL_REDUCE_FORM(rank, operation) \
  "cp.reduce.async.bulk.tensor." rank       \
  ".global.shared::cta." operation          \
  ".im2col_no_offs.bulk_group "
// clang-format on

__device__ inline void im2col_reduce(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  std::uint32_t form = 0;
#define IM2COL_REDUCE(name)                                                               \
  if (operation.form == form++) {                                                         \
    EACH_IM2COL_RANK(IM2COL_##name##_FORM, "[%0,", "],[%6]", "", "", "", "r"(place.tile)) \
  }
#define IM2COL_ADD_FORM(rank) IM2COL_REDUCE_FORM(rank, "add")
#define IM2COL_MIN_FORM(rank) IM2COL_REDUCE_FORM(rank, "min")
#define IM2COL_MAX_FORM(rank) IM2COL_REDUCE_FORM(rank, "max")
#define IM2COL_INC_FORM(rank) IM2COL_REDUCE_FORM(rank, "inc")
#define IM2COL_DEC_FORM(rank) IM2COL_REDUCE_FORM(rank, "dec")
#define IM2COL_AND_FORM(rank) IM2COL_REDUCE_FORM(rank, "and")
#define IM2COL_OR_FORM(rank) IM2COL_REDUCE_FORM(rank, "or")
#define IM2COL_XOR_FORM(rank) IM2COL_REDUCE_FORM(rank, "xor")
  IM2COL_REDUCE(ADD)
  IM2COL_REDUCE(MIN)
  IM2COL_REDUCE(MAX)
  IM2COL_REDUCE(INC)
  IM2COL_REDUCE(DEC)
  IM2COL_REDUCE(AND)
  IM2COL_REDUCE(OR)
  IM2COL_REDUCE(XOR)
#undef IM2COL_REDUCE
}

}  // namespace conformance
