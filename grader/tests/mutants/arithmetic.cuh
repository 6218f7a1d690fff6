// What mutants do to a value before it is written: mistakes of arithmetic that a small test of
// whole numbers would not show. A mutant of arithmetic.py is compiled with this file in front.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <type_traits>

namespace mutant {

using Pair = __nv_bfloat162;

// Bit for bit.
template <class To, class From>
__device__ To as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  memcpy(&result, &value, sizeof(result));
  return result;
}

// What is done to a float, and to a number of bits.
#define MUTATION(name, of_float, of_bits)                                  \
  template <class T>                                                       \
  __device__ T name(T value) {                                             \
    if constexpr (std::is_same_v<T, float4>) {                             \
      return {name(value.x), name(value.y), name(value.z), name(value.w)}; \
    } else if constexpr (std::is_same_v<T, int4>) {                        \
      return {name(value.x), name(value.y), name(value.z), name(value.w)}; \
    } else if constexpr (std::is_same_v<T, float>) {                       \
      const float x = value;                                               \
      return of_float;                                                     \
    } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {               \
      const float x = __bfloat162float(value);                             \
      return __float2bfloat16(of_float);                                   \
    } else {                                                               \
      const T x = value;                                                   \
      return static_cast<T>(of_bits);                                      \
    }                                                                      \
  }

// What the solution does.
template <class T>
__device__ T nothing(T value) {
  return value;
}

constexpr float least_normal = 1.17549435e-38F;

MUTATION(drops_the_sign, fabsf(x), x & ~(std::make_unsigned_t<T>(1) << (8 * sizeof(T) - 1)))
MUTATION(truncates, truncf(x), x & ~T(1))
MUTATION(rounds, rintf(x), (x + 1) & ~T(1))
MUTATION(saturates, fminf(fmaxf(x, -127.0F), 127.0F), x > T(100) ? T(100) : x)
MUTATION(flushes_subnormals, fabsf(x) < least_normal ? 0.0F * x : x,
         sizeof(T) < 4 ? x & ~T(1) : static_cast<T>(static_cast<float>(x)))
MUTATION(loses_the_sign_of_zero, x + 0.0F, x)
MUTATION(makes_infinities_finite, isinf(x) ? copysignf(3.0e38F, x) : x, x)
MUTATION(takes_nan_for_zero, isnan(x) ? 0.0F : x, x)
MUTATION(exchanges_the_lowest_bits,
         as<float>(as<int>(x) ^ ((as<int>(x) >> 16 ^ as<int>(x) >> 17) & 1) * 0x30000),
         x ^ ((x ^ x >> 1) & 1) * 3)

// To bfloat16, in other ways than to the nearest.
#define ROUNDING(name, mode)                      \
  __device__ inline __nv_bfloat16 name(float x) { \
    return __float2bfloat16_##mode(x);            \
  }                                               \
  __device__ inline Pair name(float x, float y) { \
    return {name(x), name(y)};                    \
  }
ROUNDING(rounds_to_zero, rz)
ROUNDING(rounds_down, rd)
ROUNDING(rounds_up, ru)

}  // namespace mutant
