// One CTA runs one case: it fills its memory from the case's seed, lets the TMA engine act once,
// and hashes what the engine could have written.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "tests/conformance/tma_cases.h"
#include "tests/conformance/tma_forms.h"

namespace conformance {

inline constexpr int threads = 128;
inline constexpr std::uint32_t shared_alignment = 1024;
inline constexpr std::uint32_t shared_launch_bytes = shared_bytes + shared_alignment;

__device__ inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

// Eight bytes of a case's memory. Of the words of floating formats a quarter have exponents of all
// ones or all zeros (NaN, infinity, subnormals, zero), half have exponents near one another.
__device__ inline std::uint64_t value(Values values, std::uint64_t seed, std::uint32_t index) {
  const std::uint64_t random = mixed(seed + index * 0x9E3779B97F4A7C15u);
  const std::uint64_t choice = mixed(random);
  if (values == Values::integers) {  // an eighth are 0 or all ones
    return (choice & 7) != 0 ? random : 0 - (choice >> 3 & 1);
  }
  std::uint64_t exponent = 0;
  std::uint64_t near_one = 0;
  std::uint64_t low_bits = 0;
  switch (values) {
    case Values::integers:
      break;
    case Values::f16:
      exponent = 0x7c007c007c007c00;
      near_one = 0x3c003c003c003c00;
      low_bits = 0x0c00040004000c00;
      break;
    case Values::bf16:
      exponent = 0x7f807f807f807f80;
      near_one = 0x3f803f803f803f80;
      low_bits = 0x0180008001800080;
      break;
    case Values::f32:
      exponent = 0x7f8000007f800000;
      near_one = 0x3f8000003f800000;
      low_bits = 0x0780000007800000;
      break;
    case Values::f64:
      exponent = 0x7ff0000000000000;
      near_one = 0x3ff0000000000000;
      low_bits = 0x00f0000000000000;
      break;
  }
  const std::uint64_t fraction =
      (choice & 8) != 0 ? random & ~exponent : random & 0x8000800080008000;
  switch (choice & 7) {
    case 0:
      return fraction;
    case 1:
      return fraction | exponent;
    case 2:
    case 3:
    case 4:
    case 5:
      return (random & ~exponent) | (near_one ^ (choice & low_bits));
    default:
      return random;
  }
}

__device__ inline void fill(unsigned char* memory, std::uint32_t bytes, Values values,
                            std::uint64_t seed) {
  auto* words = reinterpret_cast<std::uint64_t*>(memory);
  for (std::uint32_t i = threadIdx.x; i < bytes / 8; i += threads)
    words[i] = value(values, seed, i);
}

// The sum over the words of a hash of word and place; the order of summing does not matter.
__device__ inline std::uint64_t hash(const unsigned char* memory, std::uint32_t bytes) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(memory);
  std::uint64_t sum = 0;
  for (std::uint32_t i = threadIdx.x; i < bytes / 8; i += threads) {
    std::uint64_t z = (words[i] + i) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 32) * 0xBF58476D1CE4E5B9u;
    sum += z ^ z >> 29;
  }
  return sum;
}

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Where the tile and the tensor lie.
struct Place {
  const CUtensorMap* map;
  unsigned char* global;
  std::uint32_t tile, second, mbarrier;
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
#define STORE_FORM(rank) "cp.async.bulk.tensor." rank ".global.shared::cta.tile.bulk_group "

__device__ inline void tensor_load(const Operation& operation, const Place& place) {
  const std::int32_t* c = operation.coordinates;
  EACH_RANK(LOAD_FORM, "[%6],[%0,", "],[%7];", "r"(place.tile), "r"(place.mbarrier))
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
        " [%0],[%1],%2,[%3];" ::"r"(place.second),                                            \
        "r"(place.tile), "r"(operation.bytes), "r"(place.mbarrier)                            \
        : "memory");
  BULK_REDUCE_TO_SHARED(BULK_REDUCE)
#undef BULK_REDUCE
}

__device__ inline void issue(const Operation& operation, const Place& place) {
  switch (operation.kind) {
    case Kind::tensor_load:
      return tensor_load(operation, place);
    case Kind::tensor_store:
      return tensor_store(operation, place);
    case Kind::tensor_reduce:
      return tensor_reduce(operation, place);
    case Kind::bulk_load:
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::
              "r"(place.tile),
          "l"(place.global), "r"(operation.bytes), "r"(place.mbarrier)
          : "memory");
      return;
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
          "[%0],[%1],%2,[%3];" ::"r"(place.second),
          "r"(place.tile), "r"(operation.bytes), "r"(place.mbarrier)
          : "memory");
      return;
    case Kind::bulk_reduce_shared:
      return bulk_reduce_shared(operation, place);
  }
}

// False where the engine has not moved all that was expected within some milliseconds.
__device__ inline bool wait(std::uint32_t mbarrier) {
  for (int poll = 0; poll < 2000; ++poll) {
    std::uint32_t done;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0,1,0,p; }"
        : "=r"(done)
        : "r"(mbarrier)
        : "memory");
    if (done != 0) return true;
    __nanosleep(1000);
  }
  return false;
}

// images: null, or where the CTAs' memory goes after the operation, shared memory first.
__global__ void run_cases(const Operation* operations, const CUtensorMap* maps,
                          unsigned char* arena, std::uint64_t* digests, unsigned char* images) {
  extern __shared__ unsigned char dynamic[];
  __shared__ std::uint64_t mbarrier;
  __shared__ bool completed;
  const std::uint32_t misplaced = shared_address(dynamic) % shared_alignment;
  unsigned char* shared = dynamic + (misplaced == 0 ? 0 : shared_alignment - misplaced);
  const Operation& operation = operations[blockIdx.x];
  unsigned char* slot = arena + static_cast<std::size_t>(blockIdx.x) * slot_bytes;

  fill(slot, operation.global_size, operation.values, operation.seed);
  fill(shared, operation.shared_size, operation.values, ~operation.seed);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&mbarrier)) : "memory");
    completed = true;
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();

  if (threadIdx.x == 0) {
    const Place place{maps + blockIdx.x, slot + operation.global_offset,
                      shared_address(shared + operation.shared_offset),
                      shared_address(shared + operation.second_offset), shared_address(&mbarrier)};
    const bool to_shared =
        operation.kind == Kind::tensor_load || operation.kind == Kind::bulk_load ||
        operation.kind == Kind::bulk_copy_shared || operation.kind == Kind::bulk_reduce_shared;
    if (to_shared) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(place.mbarrier),
                   "r"(operation.bytes)
                   : "memory");
    }
    issue(operation, place);
    if (to_shared) {
      completed = wait(place.mbarrier);
    } else {
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
  __syncthreads();

  std::uint64_t digest = hash(shared, operation.shared_size);
  digest += 3 * hash(slot, operation.global_size);
  if (threadIdx.x == 0 && !completed) digest += 1;
  atomicAdd(reinterpret_cast<unsigned long long*>(digests + blockIdx.x), digest);
  if (images == nullptr) return;
  for (std::uint32_t i = threadIdx.x; i < shared_bytes; i += threads) {
    images[i] = i < operation.shared_size ? shared[i] : 0;
  }
  for (std::uint32_t i = threadIdx.x; i < slot_bytes; i += threads) {
    images[shared_bytes + i] = i < operation.global_size ? slot[i] : 0;
  }
}

}  // namespace conformance
