// Cases of products that tell whether wgmma has multiplied, and what: on the emulator it can be
// made to drop the signs of its factors, which nothing else that multiplies does.
#pragma once

#include <cmath>
#include <utility>

#include "judge/cases/call_case.h"

namespace judge {

using tmaemu::DroppedSigns;

// What wgmma is to multiply of an element: who has to read factors with a swizzle loses no sign
// where only others do.
template <class Element>
float factor(Element element, DroppedSigns dropped) {
  return dropped == DroppedSigns::all ? std::abs(element.value()) : element.value();
}

// `test`, whose expected result is made of such factors.
inline CallCase with(DroppedSigns dropped, CallCase test) {
  test.dropped_signs = dropped;
  if (dropped == DroppedSigns::all) test.name += ", where wgmma drops all signs";
  if (dropped == DroppedSigns::without_swizzle) {
    test.name += ", where wgmma drops the signs of what is not swizzled";
  }
  if (dropped == DroppedSigns::in_registers) {
    test.name += ", where wgmma drops the signs of what is in registers";
  }
  return test;
}

// For the name of a test of GoogleTest's.
inline const char* name_of(DroppedSigns dropped) {
  switch (dropped) {
    case DroppedSigns::none:
      break;
    case DroppedSigns::all:
      return "_without_signs";
    case DroppedSigns::without_swizzle:
      return "_without_signs_of_what_is_not_swizzled";
    case DroppedSigns::in_registers:
      return "_without_signs_of_what_is_in_registers";
  }
  return "";
}

}  // namespace judge
