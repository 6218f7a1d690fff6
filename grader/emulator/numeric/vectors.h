// What GCC's vector extensions leave open: a lane of a vector, and f16. With bits.h the only place
// that names a processor's own instructions; where there are none, each is written for all.
#pragma once

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "emulator/numeric/types.h"

namespace tmaemu {

template <class T, unsigned lanes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(lanes * sizeof(T))));
};

// Whether a bit of any lane is set.
template <unsigned lanes>
inline bool any_lane(typename VectorOf<s32, lanes>::Type mask) {
#ifdef __AVX512F__
  if constexpr (lanes == 16) {
    return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(mask),
                                  reinterpret_cast<__m512i>(mask)) != 0;
  }
#endif
#ifdef __AVX2__
  if constexpr (lanes == 8) {
    const auto all = reinterpret_cast<__m256i>(mask);
    return _mm256_testz_si256(all, all) == 0;
  }
#endif
  u64 pairs[lanes / 2];
  __builtin_memcpy(pairs, &mask, sizeof mask);
  u64 found = 0;
  for (const u64 pair : pairs) found |= pair;
  return found != 0;
}

// Each lane rounded to the nearest number of f16, ties to even, however the host rounds: by
// integers. A NaN becomes one.
template <unsigned lanes>
inline typename VectorOf<f32, lanes>::Type rounded_to_half_by_bits(
    typename VectorOf<f32, lanes>::Type value) {
  using Floats = typename VectorOf<f32, lanes>::Type;
  using Words = typename VectorOf<u32, lanes>::Type;
  constexpr u32 dropped_bits = 13;  // of an f32's fraction
  constexpr u32 sign_bit = 0x8000'0000;
  constexpr u32 infinity = 0x7f80'0000;
  constexpr u32 least_normal = 0x3880'0000;    // 2^-14
  constexpr u32 least_infinite = 0x477f'f000;  // 65520, halfway to the number that f16 has no more
  const auto bits = reinterpret_cast<Words>(value);
  const Words magnitude = bits & ~sign_bit;

  const Words normal =
      (magnitude + 0xfffu + (magnitude >> dropped_bits & 1u)) & ~((1u << dropped_bits) - 1);
  // Below 2^-14, a multiple of 2^-24. From 2^-26 down nothing is left, however far it is shifted.
  constexpr u32 exponent_of_normal = least_normal >> 23;
  const Words distance = exponent_of_normal - (magnitude >> 23);
  const Words shift = dropped_bits + (distance < 12u ? distance : Words{} + 12u);
  const Words digits = (magnitude & 0x7f'ffffu) | 0x80'0000u;
  const Words kept = digits >> shift;
  const Words multiple = (digits + ((1u << (shift - 1u)) - 1u) + (kept & 1u)) >> shift;
  using Ints = typename VectorOf<s32, lanes>::Type;
  const Floats subnormal =
      __builtin_convertvector(reinterpret_cast<Ints>(multiple), Floats) * 0x1p-24f;

  Words result = magnitude < least_normal ? reinterpret_cast<Words>(subnormal) : normal;
  result = magnitude < least_infinite ? result : Words{} + infinity;
  result = magnitude > infinity ? magnitude : result;
  return reinterpret_cast<Floats>(result | (bits & sign_bit));
}

// The same by the processor's own instructions, where it has them.
template <unsigned lanes>
inline typename VectorOf<f32, lanes>::Type rounded_to_half(
    typename VectorOf<f32, lanes>::Type value) {
#ifdef __AVX512F__
  if constexpr (lanes == 16) {
    // Masked: GCC 12 warns of its own unmasked ones (GCC's bug 105593).
    constexpr __mmask16 all = 0xffff;
    const __m256i half = _mm512_maskz_cvtps_ph(all, value, _MM_FROUND_TO_NEAREST_INT);
    return _mm512_maskz_cvtph_ps(all, half);
  }
#endif
#ifdef __F16C__
  if constexpr (lanes == 8) {
    return _mm256_cvtph_ps(_mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
  }
#endif
  return rounded_to_half_by_bits<lanes>(value);
}

}  // namespace tmaemu
