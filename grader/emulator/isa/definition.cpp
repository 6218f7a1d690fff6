#include "emulator/isa/definition.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace tmaemu {
namespace {

using Index = std::unordered_map<std::string_view, const Definition*>;

void add_names(Index& index, const Definition& definition) {
  std::string_view names = definition.names;
  while (!names.empty()) {
    const std::size_t space = std::min(names.find(' '), names.size());
    if (space > 0) index.emplace(names.substr(0, space), &definition);
    names.remove_prefix(std::min(space + 1, names.size()));
  }
}

Index build_index() {
  Index index;
  for (const auto table : all_definitions()) {
    for (const Definition& definition : table) add_names(index, definition);
  }
  return index;
}

}  // namespace

std::vector<std::span<const Definition>> all_definitions() {
  return {integer_definitions(),     carry_definitions(),           small_integer_definitions(),
          bit_definitions(),         floating_definitions(),        comparison_definitions(),
          conversion_definitions(),  movement_definitions(),        memory_definitions(),
          atomic_definitions(),      control_definitions(),         call_definitions(),
          mbarrier_definitions(),    synchronisation_definitions(), async_copy_definitions(),
          async_store_definitions(), bulk_copy_definitions(),       tensor_copy_definitions(),
          tensor_map_definitions(),  matrix_definitions(),          warp_definitions(),
          cluster_definitions()};
}

const Definition* find_definition(const ptx::Instruction& instruction) {
  static const Index index = build_index();
  for (std::string_view name = instruction.mnemonic;;) {
    if (const auto found = index.find(name); found != index.end()) {
      // A shorter name matches only where the definition looks at the rest itself.
      const bool whole = name.size() == instruction.mnemonic.size();
      return whole || found->second->handler == nullptr ? found->second : nullptr;
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    name = name.substr(0, dot);
  }
}

bool has_modifier(const ptx::Instruction& instruction, std::string_view modifier) {
  return std::ranges::find(instruction.parts, modifier) != instruction.parts.end();
}

ptx::Type type_of(const ptx::Instruction& instruction) {
  for (auto part = instruction.parts.rbegin(); part != instruction.parts.rend(); ++part) {
    if (const auto type = ptx::type_from_name(*part)) return *type;
  }
  Decoder::refuse("has no type");
}

}  // namespace tmaemu
