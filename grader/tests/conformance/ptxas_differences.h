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
  left_out,        // the form is not drawn
  one_nan,         // a NaN of double precision is made the same before it is compared
  distinct,        // operands are different registers, which they are in any case
  not_behind,      // none of its operands is what one of certain other forms gave
  divisor_is_odd,  // no division by zero
};

struct PtxasDifference {
  // Names of forms, with spaces between them. A star stands for anything, an underscore for a
  // space.
  std::string_view forms;
  Treatment treatment;
  std::string_view behind;  // those other forms
};

std::span<const PtxasDifference> ptxas_differences();

// A recorded random program in which ptxas does something else, and of which therefore only the
// first checkpoints are compared.
struct DifferingProgram {
  std::string_view name;  // "arithmetic 12"
  std::size_t compared;
};

std::span<const DifferingProgram> differing_programs();

// Of the form of this name.
Treatment treatment_of(std::string_view form);
// Whether the form may take what the form `giver` gave.
bool may_follow(std::string_view form, std::string_view giver);

}  // namespace conformance
