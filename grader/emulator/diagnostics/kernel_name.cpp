#include "emulator/diagnostics/kernel_name.h"

#include <cstddef>

#include "common/demangled.h"

namespace tmaemu {
namespace {

// Where the brackets that end at `last` begin; npos where they do not match.
std::size_t opening(const std::string& text, std::size_t last, char open, char close) {
  int depth = 0;
  for (std::size_t i = last + 1; i-- > 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string::npos;
}

// The result type of a template's demangled name ends at the last space outside of brackets.
std::size_t after_result_type(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0) return i + 1;
  }
  return 0;
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  std::string name = common::demangled(symbol);
  if (name == symbol) return name;
  if (name.ends_with(')')) {
    const std::size_t parameters = opening(name, name.size() - 1, '(', ')');
    if (parameters != std::string::npos) name.erase(parameters);
  }
  return name.substr(after_result_type(name));
}

}  // namespace tmaemu
