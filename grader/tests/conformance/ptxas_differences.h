// Where ptxas translates otherwise than PTX says, and what random programs therefore do without:
// the rows of ptxas_differences.toml, which a page of the handout lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace conformance {

// What random programs do about it.
enum class Treatment : std::uint8_t {
  none,
  left_out,         // the form is not drawn
  one_nan,          // a NaN of double precision is made the same before it is compared
  distinct,         // operands are different registers, which they are in any case
  not_behind,       // none of its operands is what one of certain other forms gave
  compared_before,  // where one is, the program is no longer compared
  divisor_is_odd,   // no division by zero
};

struct PtxasDifference {
  // Names of forms, with spaces between them. A star stands for anything, an underscore for a
  // space.
  std::string_view forms;
  Treatment treatment;
  std::string_view behind;  // those other forms
};

std::span<const PtxasDifference> ptxas_differences();

// Of the form of this name.
Treatment treatment_of(std::string_view form);
// Whether a row of that treatment is about the form where it takes what the form `giver` gave.
bool is_behind(Treatment treatment, std::string_view form, std::string_view giver);

}  // namespace conformance
