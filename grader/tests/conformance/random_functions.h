// Functions that random kernels with control flow call.
#pragma once

#include "tests/conformance/random_text.h"

namespace conformance {

// function0 to function3, of two numbers each with a loop in it, and a table of their addresses.
void declare_functions(KernelText& text);

}  // namespace conformance
