// tmaemu-instructions: the PTX instructions that the emulator executes, from the tables that it
// executes them by. A name that ends in ".*" has modifiers that its definition looks at one by one;
// whatever a definition does not know, and every name not listed, is refused when it is reached.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "emulator/isa/definition.h"

int main() {
  std::set<std::string> names;
  for (const auto table : tmaemu::all_definitions()) {
    for (const tmaemu::Definition& definition : table) {
      std::string_view rest = definition.names;
      while (!rest.empty()) {
        const std::size_t space = std::min(rest.find(' '), rest.size());
        const bool is_whole = definition.handler != nullptr;
        if (space > 0) names.insert(std::string(rest.substr(0, space)) + (is_whole ? "" : ".*"));
        rest.remove_prefix(std::min(space + 1, rest.size()));
      }
    }
  }
  for (const std::string& name : names) std::puts(name.c_str());
}
