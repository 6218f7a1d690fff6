// Comparison of what came back with what had to come back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/arrays/tensor.h"
#include "judge/cases/tolerance.h"

namespace judge {

struct Comparison {
  std::size_t mismatches = 0;
  std::size_t unwritten = 0;       // of these, how many still hold the poison
  std::vector<std::size_t> first;  // the first few places
  std::vector<bool> is_wrong;      // of each element; empty where none is

  bool equal() const { return mismatches == 0; }
};

// Bit for bit unless there is a tolerance: -0 and +0 are different then. Where NaNs are equal, the
// poison is none of them, since nobody wrote it. No tolerance lets a NaN pass for a number, or an
// infinity for a finite one. Precondition: same type and size. `or_else`: of each element, its
// value there is right as well.
Comparison compare(const Tensor& expected, const Tensor& got, Tolerance tolerance = {},
                   const Tensor* or_else = nullptr, Nans nans = Nans::equal);

// "3 of 1024 elements are wrong: data[5]: expected 6, got 5; ..."; with names of elements
// "facts[0] (sms): expected 132, got 0".
std::string describe(const Comparison& comparison, std::string_view buffer, const Tensor& expected,
                     const Tensor& got, std::span<const std::string> element_names = {});

}  // namespace judge
