#include "judge/verdict/symbol_name.h"

#include <algorithm>

#include "common/demangled.h"
#include "common/text.h"

namespace judge {

using common::cut;

namespace {

constexpr std::size_t longest_symbol = 256;
constexpr std::ptrdiff_t most_references = 8;
constexpr std::size_t longest_demangled = 400;

// Substitutions begin with an S and template parameters with a T (Itanium C++ ABI, 5.1). The
// letters of names are counted with them: too many of them cost readability, too few would cost
// memory.
bool stays_short(std::string_view symbol) {
  const auto refers = [](char c) { return c == 'S' || c == 'T'; };
  return symbol.size() <= longest_symbol &&
         std::count_if(symbol.begin(), symbol.end(), refers) <= most_references;
}

}  // namespace

std::string readable_name(std::string_view symbol) {
  const std::string name(symbol);
  return cut(stays_short(symbol) ? common::demangled(name) : name, longest_demangled);
}

}  // namespace judge
