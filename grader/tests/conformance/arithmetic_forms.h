// What the arithmetic suite runs: one form of one instruction a kernel, on many tuples of operands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// What a register holds, which decides its width and which values are drawn for it.
enum class Kind : std::uint8_t {
  pred,
  b8,  // in a register of 16 bits whose upper half is anything
  b16,
  b32,
  b64,
  b128,
  f16,
  bf16,
  f16x2,
  bf16x2,
  f32,
  f64,
  few32,  // one of a few values, so that lanes agree
  few64,
  amount,   // a position, a length or a distance: small, rarely not
  members,  // a member mask, the same in the whole warp; lanes outside of it do not take part
  angle,    // f32, within what sin and cos are made for
  map,      // a tensor map, 128 bytes
};

// 64-bit words that a value takes in the arrays of operands and results.
unsigned words_of(Kind kind);
// Bits of the register; 1 for a predicate.
unsigned bits_of(Kind kind);
Kind kind_from_name(std::string_view name);

using Words = std::span<const std::uint64_t>;

struct Form {
  std::string name;  // of the instruction, with all modifiers; no two forms have the same
  std::string body;  // PTX: results are %d0 %d1 ..., operands %s0 %s1 ...
  std::vector<Kind> results;
  std::vector<Kind> sources;
  // For results that only a bound is promised of: whether these are within.
  bool (*is_within)(const Form& form, Words sources, Words results) = nullptr;
  // For operands that belong together: draws a tuple.
  void (*draw)(const Form& form, std::uint64_t random, std::span<std::uint64_t> sources) = nullptr;

  unsigned source_words() const;
  unsigned result_words() const;
};

// A row of the tables. In `names`, {a,b} stands for each of the alternatives; $ in `body` for the
// name, $0, $1 ... for what stood in its first, second ... braces. An empty body is "$ d, s0, s1;".
struct FormRow {
  const char* names;
  const char* results;
  const char* sources;
  const char* body = "";
};

// The forms of a table.
std::vector<Form> forms_of(std::span<const FormRow> rows);

std::vector<Form> integer_forms();
std::vector<Form> video_forms();
std::vector<Form> float_forms();
std::vector<Form> approximate_forms();
std::vector<Form> comparison_forms();
std::vector<Form> conversion_forms();
std::vector<Form> atomic_forms();
std::vector<Form> warp_forms();
std::vector<Form> tensor_map_forms();
std::vector<Form> all_forms();

}  // namespace conformance
