#include "judge/examine/hunts.h"

#include <algorithm>
#include <string_view>

#include "common/text.h"
#include "judge/verdict/symbol_name.h"

namespace judge {

using common::concat;
using tmaemu::Launched;
using tmaemu::LaunchedSet;

namespace {

// "one_stage" of "void (anonymous namespace)::one_stage<3>(int*)".
std::string identifier(std::string_view symbol) {
  std::string name = readable_name(symbol);
  if (const std::size_t end = name.rfind('('); end != std::string::npos && end > 0) {
    name.resize(end);
  }
  if (const std::size_t end = name.find('<'); end != std::string::npos) name.resize(end);
  const std::size_t before = name.find_last_of(": ");
  return before == std::string::npos ? name : name.substr(before + 1);
}

// The kernel of the hunt "one-stage" is one_stage.
std::string kernel_of(std::string hunt) {
  std::ranges::replace(hunt, '-', '_');
  return hunt;
}

}  // namespace

std::optional<std::string> objection(const Part& hunt, const LaunchedSet& launched) {
  const std::string own = kernel_of(hunt.id);
  for (const Launched& launch : launched.kept()) {
    const std::string kernel = identifier(launch.name.data());
    if (kernel != own) {
      return concat("the result is right, but the launcher launches `", kernel,
                    "`, and what is to be mended is `", own, "`, which has to keep its name");
    }
  }
  return std::nullopt;
}

}  // namespace judge
