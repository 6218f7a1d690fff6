// What is wrong with a buffer that does not hold what it should, in words for the student.
#pragma once

#include <string>

#include "judge/cases/call_case.h"
#include "judge/compare/compare.h"

namespace judge {

// Precondition: `comparison`, of what is wanted and what there is, is not equal().
std::string difference(const BufferArgument& wanted, const Comparison& comparison,
                       const Tensor& got);

}  // namespace judge
