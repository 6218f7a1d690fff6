// Cases of products that tell whether wgmma has multiplied: on the emulator it can be made to drop
// the signs of its factors, which nothing else that multiplies does.
#pragma once

#include <cmath>
#include <utility>

#include "judge/cases/call_case.h"

namespace judge {

enum class Signs : bool { kept, dropped };

// What wgmma multiplies of an element.
template <class Element>
float factor(Element element, Signs signs) {
  return signs == Signs::kept ? element.value() : std::abs(element.value());
}

// `test`, whose expected result is made of such factors.
inline CallCase with(Signs signs, CallCase test) {
  test.drops_signs = signs == Signs::dropped;
  if (test.drops_signs) test.name += ", where wgmma drops all signs";
  return test;
}

}  // namespace judge
