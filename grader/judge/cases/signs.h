// Cases of products that tell whether wgmma has multiplied, and what: on the emulator it can be
// made to drop the signs of its factors, which nothing else that multiplies does.
#pragma once

#include <cmath>
#include <string>
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
  const char* const drops =
      dropped == DroppedSigns::all               ? "drops all signs"
      : dropped == DroppedSigns::without_swizzle ? "drops the signs of what is not swizzled"
      : dropped == DroppedSigns::in_registers    ? "drops the signs of what is in registers"
                                                 : nullptr;
  if (drops == nullptr) return test;
  test.name += std::string(", where wgmma ") + drops;
  test.remark = std::string("in this case the emulator's wgmma ") + drops +
                ": a result that is right elsewhere and wrong here was not multiplied by wgmma, or "
                "not from where the part asks for";
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
