#include "emulator/check/flag_setters.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using ptx::Operand;

// What addresses of one function are computed from: a variable, or a pointer that the kernel was
// given. Followed through registers that are written in one place.
class Bases {
 public:
  Bases(const ptx::Function& function, std::span<const Effects> effects)
      : function_(function), effects_(effects) {
    for (std::size_t i = 0; i < effects.size(); ++i) {
      for_each_register_written(function.body[i], effects[i], [&](std::string_view name) {
        const auto [known, is_new] = written_.try_emplace(name, i);
        if (!is_new) known->second = several;
      });
    }
  }

  // Empty where it is not known.
  std::string_view of(const Operand& operand, unsigned depth = 0) const {
    constexpr unsigned most = 32;
    const bool is_register = operand.kind == Operand::Kind::reg ||
                             (operand.kind == Operand::Kind::address && operand.base_is_register);
    const bool is_symbol = operand.kind == Operand::Kind::symbol ||
                           (operand.kind == Operand::Kind::address && !operand.base_is_register);
    if (is_symbol) return operand.name;
    const auto written = written_.find(operand.name);
    if (!is_register || depth == most || written == written_.end() || written->second == several) {
      return {};
    }
    const Instruction& instruction = function_.body[written->second];
    const Effects& effects = effects_[written->second];
    const auto base = [&](std::size_t i) { return of(instruction.operands[i], depth + 1); };
    if (effects.space == Effects::Space::parameter && effects.memory == Effects::Memory::load) {
      return base(1);
    }
    switch (effects.computation) {
      case Computation::copy:
      case Computation::conversion:
      case Computation::difference:
        return base(1);
      case Computation::sum:
        return base(1).empty() ? base(2) : base(1);
      case Computation::product_sum:
        return base(3);
      default:
        return {};
    }
  }

 private:
  static constexpr std::size_t several = ~std::size_t{0};
  const ptx::Function& function_;
  std::span<const Effects> effects_;
  std::unordered_map<std::string_view, std::size_t> written_;  // by register: the instruction
};

bool writes_memory(const Instruction& instruction, const Effects& effects) {
  using Space = Effects::Space;
  const bool is_shown = effects.space == Space::generic || effects.space == Space::global ||
                        effects.space == Space::shared;
  const bool is_write =
      effects.memory == Effects::Memory::store || effects.memory == Effects::Memory::atomic;
  return (is_shown && is_write) || instruction.is_call() || effects.copies;
}

}  // namespace

FlagSetters setters_of(const Program& program, std::uint32_t poll) {
  FlagSetters setters;
  setters.is_all = true;
  for (const DecodedFunction& decoded : program.functions) {
    if (decoded.function == nullptr) continue;
    const std::span<const Effects> effects = program.effects_of(decoded);
    const std::size_t asks = poll - decoded.first_site;
    const Bases bases(*decoded.function, effects);
    const auto base_at = [&](std::size_t i) -> std::string_view {
      if (effects[i].address == Effects::no_operand) return {};
      return bases.of(decoded.function->body[i].operands[effects[i].address]);
    };
    const bool is_here = asks < effects.size();
    const std::string_view flag = is_here ? base_at(asks) : std::string_view();
    setters.keeps_value |= std::ranges::any_of(program.module->variables, [&](const auto& each) {
      return each.space == ptx::StateSpace::global && each.name == flag;
    });
    for (std::size_t i = 0; i < effects.size(); ++i) {
      if (i == asks || !writes_memory(decoded.function->body[i], effects[i])) continue;
      const std::string_view base = base_at(i);
      if (base.empty() || flag.empty()) {
        setters.is_all = false;
      } else if (base == flag) {
        setters.sites.push_back(static_cast<std::uint32_t>(decoded.first_site + i));
      }
    }
  }
  return setters;
}

}  // namespace tmaemu::check
