// The instructions under test, one function a kind of operation.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "tests/conformance/tma_cases.h"
#include "tests/conformance/tma_forms.h"

namespace conformance {

// Where the tile and the tensor lie. Addresses of shared memory are the issuing CTA's own, but
// those of `target`, which may be another's.
struct Place {
  const CUtensorMap* map;
  unsigned char* global;
  std::uint32_t tile, mbarrier;
  std::uint32_t target, target_mbarrier;  // of copies from shared to shared memory
};

// The operands of the five ranks: INSTRUCTION(form, "address list", operands...) for each.
#define EACH_RANK(FORM, BEFORE, AFTER, ...)                                                        \
  switch (operation.rank) {                                                                        \
    case 1:                                                                                        \
      asm volatile(FORM("1d") BEFORE "{%1}" AFTER ::"l"(place.map), "r"(c[0]), "r"(c[0]),          \
                   "r"(c[0]), "r"(c[0]), "r"(c[0]), __VA_ARGS__                                    \
                   : "memory");                                                                    \
      break;                                                                                       \
    case 2:                                                                                        \
      asm volatile(FORM("2d") BEFORE "{%1,%2}" AFTER ::"l"(place.map), "r"(c[0]), "r"(c[1]),       \
                   "r"(c[0]), "r"(c[0]), "r"(c[0]), __VA_ARGS__                                    \
                   : "memory");                                                                    \
      break;                                                                                       \
    case 3:                                                                                        \
      asm volatile(FORM("3d") BEFORE "{%1,%2,%3}" AFTER ::"l"(place.map), "r"(c[0]), "r"(c[1]),    \
                   "r"(c[2]), "r"(c[0]), "r"(c[0]), __VA_ARGS__                                    \
                   : "memory");                                                                    \
      break;                                                                                       \
    case 4:                                                                                        \
      asm volatile(FORM("4d") BEFORE "{%1,%2,%3,%4}" AFTER ::"l"(place.map), "r"(c[0]), "r"(c[1]), \
                   "r"(c[2]), "r"(c[3]), "r"(c[0]), __VA_ARGS__                                    \
                   : "memory");                                                                    \
      break;                                                                                       \
    case 5:                                                                                        \
      asm volatile(FORM("5d") BEFORE "{%1,%2,%3,%4,%5}" AFTER ::"l"(place.map), "r"(c[0]),         \
                   "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), __VA_ARGS__                         \
                   : "memory");                                                                    \
      break;                                                                                       \
  }

#define LOAD_FORM(rank) \
  "cp.async.bulk.tensor." rank ".shared::cluster.global.tile.mbarrier::complete_tx::bytes "
#define MULTICAST_FORM(rank)   \
  "cp.async.bulk.tensor." rank \
  ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
#define STORE_FORM(rank) "cp.async.bulk.tensor." rank ".global.shared::cta.tile.bulk_group "

}  // namespace conformance

#include "tests/conformance/tma_im2col_instructions.cuh"

namespace conformance {

__device__ inline void tensor_load(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  if (operation.multicast == 0) {
    EACH_RANK(LOAD_FORM, "[%6],[%0,", "],[%7];", "r"(place.tile), "r"(place.mbarrier))
  } else {
    const auto mask = static_cast<std::uint16_t>(operation.multicast);
    EACH_RANK(MULTICAST_FORM, "[%6],[%0,", "],[%7],%8;", "r"(place.tile), "r"(place.mbarrier),
              "h"(mask))
  }
}

__device__ inline void tensor_store(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  EACH_RANK(STORE_FORM, "[%0,", "],[%6];", "r"(place.tile))
}

template <int form>
__device__ void tensor_reduce_form(const Operation& operation, const Place& place);

#define DEFINE_TENSOR_REDUCE(index, name)                                      \
  template <>                                                                  \
  __device__ inline void tensor_reduce_form<index>(const Operation& operation, \
                                                   const Place& place) {       \
    const std::int32_t* c = operation.coordinates;                             \
    EACH_RANK(name, "[%0,", "],[%6];", "r"(place.tile))                        \
  }
#define REDUCE_FORM(rank, operation) \
  "cp.reduce.async.bulk.tensor." rank ".global.shared::cta." operation ".tile.bulk_group "
#define ADD_FORM(rank) REDUCE_FORM(rank, "add")
#define MIN_FORM(rank) REDUCE_FORM(rank, "min")
#define MAX_FORM(rank) REDUCE_FORM(rank, "max")
#define INC_FORM(rank) REDUCE_FORM(rank, "inc")
#define DEC_FORM(rank) REDUCE_FORM(rank, "dec")
#define AND_FORM(rank) REDUCE_FORM(rank, "and")
#define OR_FORM(rank) REDUCE_FORM(rank, "or")
#define XOR_FORM(rank) REDUCE_FORM(rank, "xor")
DEFINE_TENSOR_REDUCE(0, ADD_FORM)
DEFINE_TENSOR_REDUCE(1, MIN_FORM)
DEFINE_TENSOR_REDUCE(2, MAX_FORM)
DEFINE_TENSOR_REDUCE(3, INC_FORM)
DEFINE_TENSOR_REDUCE(4, DEC_FORM)
DEFINE_TENSOR_REDUCE(5, AND_FORM)
DEFINE_TENSOR_REDUCE(6, OR_FORM)
DEFINE_TENSOR_REDUCE(7, XOR_FORM)

__device__ inline void tensor_reduce(const Operation& operation, const Place& place) {
  switch (operation.form) {
    case 0:
      return tensor_reduce_form<0>(operation, place);
    case 1:
      return tensor_reduce_form<1>(operation, place);
    case 2:
      return tensor_reduce_form<2>(operation, place);
    case 3:
      return tensor_reduce_form<3>(operation, place);
    case 4:
      return tensor_reduce_form<4>(operation, place);
    case 5:
      return tensor_reduce_form<5>(operation, place);
    case 6:
      return tensor_reduce_form<6>(operation, place);
    case 7:
      return tensor_reduce_form<7>(operation, place);
  }
}

__device__ inline void bulk_load(const Operation& operation, const Place& place) {
  if (operation.multicast == 0) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::
            "r"(place.tile),
        "l"(place.global), "r"(operation.bytes), "r"(place.mbarrier)
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0],[%1],%2,[%3],%4;" ::"r"(place.tile),
        "l"(place.global), "r"(operation.bytes), "r"(place.mbarrier),
        "h"(static_cast<std::uint16_t>(operation.multicast))
        : "memory");
  }
}

__device__ inline void bulk_reduce(const Operation& operation, const Place& place) {
  std::uint32_t form = 0;
#define BULK_REDUCE(name, values)                                           \
  if (operation.form == form++)                                             \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." name \
                 " [%0],[%1],%2;" ::"l"(place.global),                      \
                 "r"(place.tile), "r"(operation.bytes)                      \
                 : "memory");
  BULK_REDUCE_TO_GLOBAL(BULK_REDUCE)
#undef BULK_REDUCE
}

__device__ inline void bulk_reduce_shared(const Operation& operation, const Place& place) {
  std::uint32_t form = 0;
#define BULK_REDUCE(name, values)                                                             \
  if (operation.form == form++)                                                               \
    asm volatile(                                                                             \
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." name \
        " [%0],[%1],%2,[%3];" ::"r"(place.target),                                            \
        "r"(place.tile), "r"(operation.bytes), "r"(place.target_mbarrier)                     \
        : "memory");
  BULK_REDUCE_TO_SHARED(BULK_REDUCE)
#undef BULK_REDUCE
}

__device__ inline void issue(const Operation& operation, const Place& place) {
  switch (operation.kind) {
    case Kind::tensor_load:
      return operation.is_im2col ? im2col_load(operation, place) : tensor_load(operation, place);
    case Kind::tensor_store:
      return operation.is_im2col ? im2col_store(operation, place) : tensor_store(operation, place);
    case Kind::tensor_reduce:
      return operation.is_im2col ? im2col_reduce(operation, place)
                                 : tensor_reduce(operation, place);
    case Kind::bulk_load:
      return bulk_load(operation, place);
    case Kind::bulk_store:
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],%2;" ::"l"(place.global),
                   "r"(place.tile), "r"(operation.bytes)
                   : "memory");
      return;
    case Kind::bulk_reduce:
      return bulk_reduce(operation, place);
    case Kind::bulk_copy_shared:
      asm volatile(
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
          "[%0],[%1],%2,[%3];" ::"r"(place.target),
          "r"(place.tile), "r"(operation.bytes), "r"(place.target_mbarrier)
          : "memory");
      return;
    case Kind::bulk_reduce_shared:
      return bulk_reduce_shared(operation, place);
  }
}

}  // namespace conformance
