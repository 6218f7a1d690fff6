// Operands for conversions.
#pragma once

#include <cmath>

#include "isa_oracle.h"
#include "isa_test_support.h"

namespace tmaemu::testing {

inline std::vector<Tuple> float_operands(const Format& format) {
  std::vector<Tuple> tuples = all_tuples(format.edges(), 1);
  const auto bits = static_cast<unsigned>(8 * format.bytes());
  for (const Tuple& tuple : random_tuples(bits, 1, 1500)) tuples.push_back(tuple);
  // About the sizes of integers and of half-precision numbers, halfway cases included.
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  for (const Tuple& tuple : random_tuples(64, 1, 3000)) {
    const Bits exponent = static_cast<Bits>(bias + static_cast<int>(tuple[0] % 90) - 26);
    const Bits fraction = (tuple[0] >> 8) & ((Bits{1} << format.fraction_bits) - 1);
    const unsigned cut = static_cast<unsigned>(tuple[0] >> 60) * 3;
    const Bits kept = cut < 60 ? fraction >> cut << cut : fraction;
    const Bits sign = tuple[0] >> 7 & 1 ? format.sign() : 0;
    tuples.push_back({sign | ((exponent << format.fraction_bits | kept) % format.infinity())});
  }
  return tuples;
}

// Of a finite number; exact.
inline long double value_of(const Format& format, Bits bits) {
  const Dyadic value = format.value(bits);
  const long double magnitude =
      std::ldexp(static_cast<long double>(value.significand), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

inline Code unary(const std::string& mnemonic, unsigned to, unsigned from) {
  return {mnemonic + " %d, %a;", to, {from}};
}

}  // namespace tmaemu::testing
