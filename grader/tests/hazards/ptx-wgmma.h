// wgmma.mma_async of bytes: D, 64 x 8 ints, is A, 64 x 32 bytes, times B, 32 x 8 bytes.
#pragma once

#include "ptx-address.h"
#include "ptx-async-copy.h"
#include "ptx-barrier.h"
#include "ptx-bulk-copy.h"

__device__ inline void fence_registers() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int pending>
__device__ inline void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// Both matrices as they lie in shared memory: 8 x 16 bytes after 8 x 16 bytes.
struct alignas(128) Factors {
  int a[512];
  int b[64];
};
constexpr int FACTOR_INTS = sizeof(Factors) / sizeof(int);

// Both factors, for all to read.
__device__ inline void load_factors(Factors& factors, const int* in, uint64_t& loaded) {
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(factors));
    load_bulk(&factors, in, sizeof(factors), &loaded);
  }
  wait_parity(&loaded, 0);
}

// Bytes [begin, end) of both factors, by the cp.async of 128 threads.
__device__ inline void copy_factors(Factors& factors, const int* in, int begin = 0,
                                    int end = sizeof(Factors)) {
  char* const to = reinterpret_cast<char*>(&factors);
  const char* const from = reinterpret_cast<const char*>(in);
  for (int i = begin + 16 * static_cast<int>(threadIdx.x % 128); i < end; i += 16 * 128) {
    cp_async_16(to + i, from + i);
  }
}
constexpr int A_BYTES = 2048;  // of them

__device__ inline uint64_t matrix(const void* shared) {
  const uint64_t leading = 128 / 16, stride = 256 / 16;
  constexpr uint32_t in_cta = 0x3ffff;  // in a cluster, the address says whose it is, too
  return (shared_address(shared) & in_cta) / 16 | leading << 16 | stride << 32;
}

// A thread's four elements of D.
struct Sums {
  int at[4] = {0, 0, 0, 0};
};

// D += A * B
__device__ inline void multiply(Sums& d, uint64_t a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%0, %1, %2, %3}, %4, %5, adds;\n}"
      : "+r"(d.at[0]), "+r"(d.at[1]), "+r"(d.at[2]), "+r"(d.at[3])
      : "l"(a), "l"(b)
      : "memory");
}
__device__ inline void multiply(Sums& d, const Factors& factors) {
  multiply(d, matrix(factors.a), matrix(factors.b));
}

// The same of f16, 64 x 16 and 16 x 16 elements, and all of D and A in registers of two: D has the
// layout that A needs.
struct Halves {
  uint32_t at[4] = {0, 0, 0, 0};
};
__device__ inline void multiply(Halves& d, uint64_t a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, %4, %5, adds, 1, 1, 0, "
      "0;\n}"
      : "+r"(d.at[0]), "+r"(d.at[1]), "+r"(d.at[2]), "+r"(d.at[3])
      : "l"(a), "l"(b)
      : "memory");
}
__device__ inline void multiply(Halves& d, const Halves& a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
      "adds, 1, 1, 0;\n}"
      : "+r"(d.at[0]), "+r"(d.at[1]), "+r"(d.at[2]), "+r"(d.at[3])
      : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "l"(b)
      : "memory");
}

__device__ inline void store(int* out, const Sums& d) {
  for (int i = 0; i < 4; ++i) {
    out[4 * threadIdx.x + i] = d.at[i];
  }
}

// What that is where the factors are the input from int `first` on.
inline int product_of_input(int index, int first) {
  const int thread = index / 4, element = index % 4;
  const int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (element / 2);
  const int column = thread % 4 * 2 + element % 2;
  const auto byte_at = [&](int line, int k) {
    const int offset = line / 8 * 256 + k / 16 * 128 + line % 8 * 16 + k % 16;
    const int word = first + offset / 4 + 1;  // the input is 1, 2, 3, ...
    return word >> offset % 4 * 8 & 0xff;
  };
  int sum = 0;
  for (int k = 0; k < 32; ++k) {
    sum += byte_at(row, k) * byte_at(64 + column, k);
  }
  return sum;
}
inline int the_product(int index) {
  return product_of_input(index, 0);
}
inline int twice_the_product(int index) {
  return 2 * the_product(index);
}

constexpr Shape PRODUCT{.checked = 512};
