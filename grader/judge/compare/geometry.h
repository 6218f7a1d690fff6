// What the wrong elements of an array have in common. "Expected 17, got 4711" is noise; "each holds
// what belongs 32 columns further on" is a mistake in an index.
#pragma once

#include <string>
#include <string_view>

#include "judge/compare/compare.h"

namespace judge {

// "they fill out[8..15][0..31]; each holds what belongs at out[i][j + 32]". Empty where nothing can
// be said. `before`: what the array held before the call; null where that says nothing.
std::string geometry_of(const Comparison& comparison, std::string_view buffer,
                        const Tensor& expected, const Tensor& got, const Tensor* before);

}  // namespace judge
