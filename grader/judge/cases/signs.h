// Cases of products that tell whether wgmma has multiplied, and what: on the emulator it can be
// made to drop the signs of its factors, which nothing else that multiplies does.
#pragma once

#include <cmath>
#include <utility>

#include "judge/cases/call_case.h"

namespace judge {

// What wgmma is to multiply of an element: who has to read factors with a swizzle loses no sign
// where only others do.
template <class Element>
float factor(Element element, Signs signs) {
  return signs == Signs::dropped ? std::abs(element.value()) : element.value();
}

// `test`, whose expected result is made of such factors.
inline CallCase with(Signs signs, CallCase test) {
  test.signs = signs;
  if (signs == Signs::dropped) test.name += ", where wgmma drops all signs";
  if (signs == Signs::dropped_without_swizzle) {
    test.name += ", where wgmma drops the signs of what is not swizzled";
  }
  return test;
}

// For the name of a test of GoogleTest's.
inline const char* name_of(Signs signs) {
  switch (signs) {
    case Signs::kept:
      break;
    case Signs::dropped:
      return "_without_signs";
    case Signs::dropped_without_swizzle:
      return "_without_signs_of_what_is_not_swizzled";
  }
  return "";
}

}  // namespace judge
