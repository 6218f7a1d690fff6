#include "judge/compare/difference.h"

#include "common/text.h"
#include "judge/compare/geometry.h"

namespace judge {

using common::concat;

namespace {

// What the whole array is, if it comes of a mistake that is known.
std::string known_mistake(const BufferArgument& wanted, const Tensor& got) {
  for (const KnownMistake& mistake : wanted.mistakes) {
    if (compare(mistake.after(), got, wanted.tolerance).equal()) return mistake.words;
  }
  return {};
}

}  // namespace

std::string difference(const BufferArgument& wanted, const Comparison& comparison,
                       const Tensor& got) {
  std::string text = describe(comparison, wanted.name, wanted.after, got, wanted.element_names);
  if (wanted.is_input) text = concat("changed its input ", wanted.name, ": ", text);
  if (std::string words = known_mistake(wanted, got); !words.empty()) {
    return concat(text, "; ", words);
  }
  const std::string geometry =
      geometry_of(comparison, wanted.name, wanted.after, got,
                  wanted.is_input || wanted.is_output ? nullptr : &wanted.before);
  return geometry.empty() ? text : concat(text, "; ", geometry);
}

}  // namespace judge
