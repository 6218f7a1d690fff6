// The operands that a form is run with: the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/conformance/arithmetic_forms.h"

namespace conformance {

// A multiple of block_tuples, and at least 1,000.
std::size_t tuples_of(const Form& form);

// source_stride(form) words a tuple: first edge values with edge values, then mixtures of edge
// values, numbers with few digits, operands that are near each other, and any bits.
std::vector<std::uint64_t> operands_of(const Form& form);
// So many tuples, drawn with another seed.
std::vector<std::uint64_t> operands_of(const Form& form, std::size_t tuples, std::uint64_t seed);

}  // namespace conformance
