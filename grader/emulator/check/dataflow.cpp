#include "emulator/check/dataflow.h"

#include <algorithm>

#include "emulator/ptx/registers.h"

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using ptx::Operand;

// Calls visit(name) for each register that decides what the instruction does.
template <class Visit>
void for_each_source(const Instruction& instruction, const Effects& effects, Visit visit) {
  if (instruction.guard) for_each_register(*instruction.guard, visit);
  for_each_register_read(instruction, effects, visit);
}

}  // namespace

Dataflow::Dataflow(const ptx::Function& function, std::span<const Effects> effects)
    : function_(function), effects_(effects) {
  find_used();
  find_set();
  find_origins();
}

void Dataflow::find_used() {
  std::unordered_map<std::string_view, std::vector<std::size_t>> definitions;
  std::vector<std::string_view> found;
  const auto use = [&](std::string_view name) {
    if (used_.insert(name).second) found.push_back(name);
  };
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    if (effects_[i].only_computes()) {
      for_each_register_written(function_.body[i], effects_[i],
                                [&](std::string_view name) { definitions[name].push_back(i); });
    } else {
      for_each_source(function_.body[i], effects_[i], use);
    }
  }
  while (!found.empty()) {
    const std::string_view name = found.back();
    found.pop_back();
    for (const std::size_t i : definitions[name]) {
      for_each_source(function_.body[i], effects_[i], use);
    }
  }
}

void Dataflow::find_set() {
  if (std::ranges::none_of(effects_, &Effects::goes_on)) return;
  for (const ptx::Variable& parameter : function_.parameters) set_.insert(parameter.name);
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      if (effects_[i].goes_on) continue;
      const bool copies =
          effects_[i].computation == Computation::copy && effects_[i].only_computes();
      bool reads = false;
      bool has_value = false;
      for_each_register_read(function_.body[i], effects_[i], [&](std::string_view name) {
        reads = true;
        has_value |= set_.contains(name);
      });
      if (copies && reads && !has_value) continue;
      for_each_register_written(function_.body[i], effects_[i], [&](std::string_view name) {
        has_grown |= set_.insert(name).second;
      });
    }
  }
}

bool Dataflow::has_unset(const ptx::Operand& operand) const {
  bool has = false;
  for_each_register(operand, [&](std::string_view name) { has |= !set_.contains(name); });
  return has;
}

Dataflow::Reach Dataflow::always_reaches(std::size_t instruction,
                                         const std::function<bool(std::size_t)>& is_always) const {
  std::unordered_set<std::string_view> holding;  // registers that hold it, or what is made of it
  std::vector<std::string_view> found;
  const auto hold = [&](std::string_view name) {
    if (holding.insert(name).second) found.push_back(name);
  };
  for_each_register(function_.body[instruction].operands.front(), hold);
  Reach reach = Reach::nowhere;
  while (!found.empty()) {
    const std::string_view name = found.back();
    found.pop_back();
    for (std::size_t i = instruction + 1; i < effects_.size(); ++i) {
      const Instruction& user = function_.body[i];
      if (user.guard || effects_[i].computation == Computation::choice) continue;
      bool reads = false;
      for_each_register_read(user, effects_[i],
                             [&](std::string_view read) { reads |= read == name; });
      if (!reads || !is_always(i)) continue;
      if (effects_[i].convergence == Effects::Convergence::shuffle) {
        reach = Reach::another_lane;
        continue;
      }
      if (!effects_[i].only_computes()) return Reach::memory;
      for_each_register_written(user, effects_[i], hold);
    }
  }
  return reach;
}

void Dataflow::find_origins() {
  bool changes = true;
  while (changes) {
    changes = false;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      const Instruction& instruction = function_.body[i];
      // What a whole register holds may be an address. The elements of a vector are loaded, or are
      // pieces of a number.
      const bool is_whole = effects_[i].writes.has(0) &&
                            instruction.operands.front().kind == Operand::Kind::reg &&
                            instruction.operands.front().second_name.empty();
      const Origin origin =
          is_whole ? result_of(instruction, effects_[i]) : Origin{Origin::Kind::number, {}};
      for_each_register_written(instruction, effects_[i],
                                [&](std::string_view name) { changes |= assign(name, origin); });
    }
  }
}

Dataflow::Origin Dataflow::origin_of(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::symbol:
      return {Origin::Kind::variable, operand.name};
    case Operand::Kind::reg:
    case Operand::Kind::address: {
      if (operand.kind == Operand::Kind::address && !operand.base_is_register) {
        return {Origin::Kind::variable, operand.name};
      }
      const auto found = origins_.find(operand.name);
      return found == origins_.end() ? Origin{} : found->second;
    }
    default:
      return {Origin::Kind::number, {}};
  }
}

namespace {

// Wait for the other one where one is not known yet.
Dataflow::Origin sum_of(const Dataflow::Origin& a, const Dataflow::Origin& b) {
  using Kind = Dataflow::Origin::Kind;
  if (a.kind == Kind::undefined || b.kind == Kind::undefined) {
    const Dataflow::Origin& known = a.kind == Kind::undefined ? b : a;
    return known.kind == Kind::unknown ? known : Dataflow::Origin{};
  }
  if (a.kind == Kind::number) return b;
  if (b.kind == Kind::number) return a;
  return {Kind::unknown, {}};
}

Dataflow::Origin difference_of(const Dataflow::Origin& a, const Dataflow::Origin& subtracted) {
  using Kind = Dataflow::Origin::Kind;
  if (subtracted.kind == Kind::number) return a;
  return subtracted.kind == Kind::undefined ? Dataflow::Origin{}
                                            : Dataflow::Origin{Kind::unknown, {}};
}

}  // namespace

Dataflow::Origin Dataflow::result_of(const Instruction& instruction, const Effects& effects) const {
  using Kind = Origin::Kind;
  if (!effects.only_computes()) return {Kind::number, {}};
  const auto operand = [&](std::size_t i) { return origin_of(instruction.operands[i]); };
  switch (effects.computation) {
    case Computation::copy:
    case Computation::conversion:
      return operand(1);
    case Computation::sum:
      return sum_of(operand(1), operand(2));
    case Computation::difference:
      return difference_of(operand(1), operand(2));
    case Computation::product_sum: {
      const bool scales_address =
          operand(1).kind == Kind::variable || operand(2).kind == Kind::variable;
      return scales_address ? Origin{Kind::unknown, {}} : operand(3);
    }
    default:
      break;
  }
  // Whatever else is done with an address: nobody knows where it points then.
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    const Origin origin = operand(i);
    if (origin.kind == Kind::variable || origin.kind == Kind::unknown) return {Kind::unknown, {}};
  }
  return {Kind::number, {}};
}

bool Dataflow::assign(std::string_view name, const Origin& origin) {
  if (origin.kind == Origin::Kind::undefined) return false;
  Origin& known = origins_[name];
  if (known == origin || known.kind == Origin::Kind::unknown) return false;
  known = known.kind == Origin::Kind::undefined ? origin : Origin{Origin::Kind::unknown, {}};
  return true;
}

std::string_view Dataflow::variable_of(const Operand& address) const {
  const Origin origin = origin_of(address);
  return origin.kind == Origin::Kind::variable ? origin.variable : std::string_view();
}

}  // namespace tmaemu::check
