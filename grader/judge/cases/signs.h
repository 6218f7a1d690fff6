// Cases that tell whether wgmma has multiplied, and what: on the emulator it can be made to turn
// the signs of some products, and no other way to multiply knows of which. Likewise of ints that a
// phase of an mbarrier hands from warp to warp.
#pragma once

#include <string>
#include <utility>

#include "judge/arrays/random.h"
#include "judge/cases/call_case.h"

namespace judge {

using tmaemu::TurnedProducts;
using tmaemu::TurnedSigns;

// Of the case's own pairs of numbers.
inline TurnedSigns turned(TurnedProducts products, Random& random) {
  if (products == TurnedProducts::none) return {};
  return {products, static_cast<std::uint32_t>(random.bits())};
}

// What comes of two factors that are to be multiplied in such a case. Where only products of what
// is not swizzled are turned, or of what is in registers, right is what has none turned.
inline float product(float a, float b, const TurnedSigns& signs) {
  const bool is_turned =
      signs.products == TurnedProducts::all && tmaemu::turns_sign(signs.key, a, b);
  return is_turned ? -(a * b) : a * b;
}

// `test`, whose expected result is made of such products.
inline CallCase with(const TurnedSigns& signs, CallCase test) {
  test.turned_signs = signs;
  const char* const whose =
      signs.products == TurnedProducts::all               ? ""
      : signs.products == TurnedProducts::without_swizzle ? " of what is not swizzled"
      : signs.products == TurnedProducts::from_registers  ? " of what is in registers"
                                                          : nullptr;
  if (whose == nullptr) return test;
  const std::string turns = std::string("turns the signs of some products") + whose;
  test.name += ", where wgmma " + turns;
  test.remark = "in this case the emulator's wgmma " + turns +
                ": a result that is right elsewhere and wrong here was not multiplied by wgmma, or "
                "not from where the part asks for";
  return test;
}

// Of ints that are handed over: those of `value`, among others.
inline TurnedSigns turned_with(std::int32_t value, Random& random) {
  TurnedSigns signs{TurnedProducts::handed_over, 0};
  do {
    signs.key = static_cast<std::uint32_t>(random.bits());
  } while (!tmaemu::turns_sign(signs.key, value));
  return signs;
}

// `test`, whose expected result is made of ints that were handed over so.
inline CallCase handed_over_with(const TurnedSigns& signs, CallCase test) {
  test.turned_signs = signs;
  test.name += ", where signs are turned of what phases hand over";
  test.remark =
      "in this case the emulator turns the signs of some ints in shared memory when a thread of "
      "another warp reads them, behind a wait for the phase of an mbarrier that handed them over: "
      "a result that is right elsewhere and wrong here does not come from what was handed over";
  return test;
}

// For the name of a test of GoogleTest's.
inline const char* name_of(TurnedProducts products) {
  switch (products) {
    case TurnedProducts::none:
    case TurnedProducts::handed_over:
      break;
    case TurnedProducts::all:
      return "_with_turned_signs";
    case TurnedProducts::without_swizzle:
      return "_with_turned_signs_of_what_is_not_swizzled";
    case TurnedProducts::from_registers:
      return "_with_turned_signs_of_what_is_in_registers";
  }
  return "";
}

}  // namespace judge
