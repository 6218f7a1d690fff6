#include "judge/compare/difference.h"

#include "common/text.h"
#include "judge/compare/geometry.h"

namespace judge {

using common::concat;

std::string difference(const BufferArgument& wanted, const Comparison& comparison,
                       const Tensor& got) {
  std::string text = describe(comparison, wanted.name, wanted.after, got, wanted.element_names);
  if (wanted.is_input) text = concat("changed its input ", wanted.name, ": ", text);
  const std::string geometry =
      geometry_of(comparison, wanted.name, wanted.after, got,
                  wanted.is_input || wanted.is_output ? nullptr : &wanted.before);
  return geometry.empty() ? text : concat(text, "; ", geometry);
}

}  // namespace judge
