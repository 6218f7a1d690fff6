// One cluster runs one case: it fills its memory from the case's seed, lets the TMA engine act
// once, and hashes what the engine could have written.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "tests/conformance/tma_cases.h"
#include "tests/conformance/tma_instructions.cuh"

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

__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline std::uint32_t address_in_cta(std::uint32_t shared, std::uint32_t rank) {
  std::uint32_t address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared), "r"(rank));
  return address;
}

// A cluster of operation.cluster CTAs. image: null, or where the memory goes after the operation:
// the shared memory of each CTA, then the slot.
__global__ void run_case(const __grid_constant__ CUtensorMap map, Operation operation,
                         unsigned char* slot, std::uint64_t* digest, unsigned char* image) {
  extern __shared__ unsigned char dynamic[];
  __shared__ std::uint64_t mbarrier;
  __shared__ bool completed;
  const std::uint32_t misplaced = shared_address(dynamic) % shared_alignment;
  unsigned char* shared = dynamic + (misplaced == 0 ? 0 : shared_alignment - misplaced);
  const std::uint32_t rank = blockIdx.x;  // the grid is one cluster

  if (rank == 0) fill(slot, operation.global_size, operation.values, operation.seed);
  fill(shared, operation.shared_size, operation.values, ~operation.seed + rank);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&mbarrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    completed = true;
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  cluster_barrier();

  if (threadIdx.x == 0) {
    const std::uint32_t target = shared_address(shared + operation.second_offset);
    const std::uint32_t own_mbarrier = shared_address(&mbarrier);
    const Place place{&map,
                      slot + operation.global_offset,
                      shared_address(shared + operation.shared_offset),
                      own_mbarrier,
                      address_in_cta(target, operation.target),
                      address_in_cta(own_mbarrier, operation.target)};
    const bool to_shared = (kinds_to_shared >> static_cast<int>(operation.kind) & 1) != 0;
    const bool receives =
        to_shared && (operation.multicast == 0 ? rank == operation.target
                                               : (operation.multicast >> rank & 1) != 0);
    if (receives) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(place.mbarrier),
                   "r"(operation.bytes)
                   : "memory");
    }
    if (rank == operation.issuer) issue(operation, place);
    if (receives) completed = wait(place.mbarrier);
    if (rank == operation.issuer && !to_shared) {
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
  __syncthreads();
  cluster_barrier();
  __threadfence();  // the engine wrote past this SM's L1 cache

  std::uint64_t sum = (2 * rank + 1) * hash(shared, operation.shared_size);
  if (rank == 0) sum += 0x9E3779B97F4A7C15u * hash(slot, operation.global_size);
  if (threadIdx.x == 0 && !completed) sum += 1;
  atomicAdd(reinterpret_cast<unsigned long long*>(digest), sum);
  if (image == nullptr) return;
  unsigned char* shared_image = image + rank * shared_bytes;
  unsigned char* slot_image = image + gridDim.x * shared_bytes;
  for (std::uint32_t i = threadIdx.x; i < operation.shared_size; i += threads) {
    shared_image[i] = shared[i];
  }
  for (std::uint32_t i = threadIdx.x; rank == 0 && i < operation.global_size; i += threads) {
    slot_image[i] = slot[i];
  }
}

}  // namespace conformance
