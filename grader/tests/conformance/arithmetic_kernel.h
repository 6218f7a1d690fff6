// The PTX of the forms' kernels.
#pragma once

#include <span>
#include <string>

#include "tests/conformance/arithmetic_forms.h"

namespace conformance {

// A CTA executes a block of tuples, a thread each.
inline constexpr unsigned block_tuples = 64;

// Where a tuple begins in the array of operands: tensor maps are aligned to their size.
unsigned source_stride(const Form& form);
unsigned result_stride(const Form& form);

// Bytes of global memory that a thread has for itself.
inline constexpr unsigned cell_bytes = 128;

// A module with a kernel a form, form0, form1, ...: (operands, results, cells).
std::string module_text(std::span<const Form> forms);

}  // namespace conformance
