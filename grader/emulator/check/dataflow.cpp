#include "emulator/check/dataflow.h"

#include <algorithm>
#include <array>

#include "emulator/ptx/registers.h"

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using ptx::Operand;

// Instructions that do nothing but give their first operand a value.
bool only_computes(const Instruction& instruction) {
  static constexpr std::array<std::string_view, 34> opcodes{
      "abs",      "add",  "and",  "bfe",  "bfi", "bfind",    "brev", "clz",  "cnot",
      "copysign", "cvt",  "cvta", "div",  "fma", "isspacep", "lop3", "mad",  "mapa",
      "max",      "min",  "mov",  "mul",  "neg", "not",      "or",   "popc", "prmt",
      "rem",      "selp", "set",  "setp", "shf", "shl",      "shr"};
  const std::string_view opcode = instruction.parts.front();
  return std::ranges::find(opcodes, opcode) != opcodes.end() || opcode == "sub" || opcode == "xor";
}

// Memory is read, or an mbarrier is asked, and the first operand is the answer.
bool asks(const Instruction& instruction) {
  if (instruction.parts.front() == "ld" || instruction.parts.front() == "atom") return true;
  return instruction.parts.size() > 1 && instruction.parts[0] == "mbarrier" &&
         (instruction.parts[1] == "try_wait" || instruction.parts[1] == "test_wait");
}

}  // namespace

Dataflow::Dataflow(const ptx::Function& function) {
  find_used(function);
  find_origins(function);
}

void Dataflow::find_used(const ptx::Function& function) {
  std::unordered_map<std::string_view, std::vector<const Instruction*>> definitions;
  std::vector<std::string_view> found;
  const auto use = [&](std::string_view name) {
    if (used_.insert(name).second) found.push_back(name);
  };
  const auto use_sources = [&](const Instruction& instruction, std::size_t first) {
    if (instruction.guard) for_each_register(*instruction.guard, use);
    for (std::size_t i = first; i < instruction.operands.size(); ++i) {
      for_each_register(instruction.operands[i], use);
    }
  };
  for (const Instruction& instruction : function.body) {
    if (only_computes(instruction) && !instruction.operands.empty()) {
      for_each_register(instruction.operands[0],
                        [&](std::string_view name) { definitions[name].push_back(&instruction); });
    } else {
      use_sources(instruction, asks(instruction) ? 1 : 0);
    }
  }
  while (!found.empty()) {
    const std::string_view name = found.back();
    found.pop_back();
    for (const Instruction* definition : definitions[name]) use_sources(*definition, 1);
  }
}

bool Dataflow::always_matters(const ptx::Function& function, std::size_t instruction,
                              const std::function<bool(std::size_t)>& is_always) {
  std::unordered_set<std::string_view> holding;  // registers that hold it, or what is made of it
  std::vector<std::string_view> found;
  const auto hold = [&](std::string_view name) {
    if (holding.insert(name).second) found.push_back(name);
  };
  for_each_register(function.body[instruction].operands.front(), hold);
  while (!found.empty()) {
    const std::string_view name = found.back();
    found.pop_back();
    for (std::size_t i = instruction + 1; i < function.body.size(); ++i) {
      const Instruction& user = function.body[i];
      const std::string_view opcode = user.parts.front();
      const bool computes = only_computes(user);
      const bool writes_memory = opcode == "st" || opcode == "red";
      if (user.guard || opcode == "selp" || opcode == "set" || opcode == "setp") continue;
      bool reads = false;
      for (std::size_t k = writes_memory ? 0 : 1; k < user.operands.size(); ++k) {
        for_each_register(user.operands[k], [&](std::string_view read) { reads |= read == name; });
      }
      if (!reads || !is_always(i)) continue;
      if (!computes) return true;
      for_each_register(user.operands.front(), hold);
    }
  }
  return false;
}

void Dataflow::find_origins(const ptx::Function& function) {
  bool changes = true;
  while (changes) {
    changes = false;
    for (const Instruction& instruction : function.body) {
      if (instruction.operands.empty()) continue;
      const Operand& target = instruction.operands.front();
      if (target.kind != Operand::Kind::reg) {
        for_each_register(target, [&](std::string_view name) {
          // The elements of a vector are loaded; what stands in an address is no target.
          if (target.kind == Operand::Kind::vector) {
            changes |= assign(name, {Origin::Kind::number, {}});
          }
        });
        continue;
      }
      changes |= assign(target.name, result_of(instruction));
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

Dataflow::Origin Dataflow::result_of(const Instruction& instruction) const {
  using Kind = Origin::Kind;
  const std::string_view opcode = instruction.parts.front();
  const auto operand = [&](std::size_t i) { return origin_of(instruction.operands[i]); };
  const std::size_t count = instruction.operands.size();
  const bool copies = opcode == "mov" || opcode == "cvta" || opcode == "cvt";
  if (copies && count == 2) return operand(1);
  if (opcode == "mapa") return operand(1);  // the same variable, of another CTA
  const auto sum = [&](Origin a, Origin b) -> Origin {
    if (a.kind == Kind::undefined || b.kind == Kind::undefined) {
      const Origin& known = a.kind == Kind::undefined ? b : a;
      return known.kind == Kind::unknown ? known : Origin{};  // wait for the other one
    }
    if (a.kind == Kind::number) return b;
    if (b.kind == Kind::number) return a;
    return {Kind::unknown, {}};
  };
  if (opcode == "add" && count == 3) return sum(operand(1), operand(2));
  if (opcode == "sub" && count == 3) {
    const Origin subtracted = operand(2);
    if (subtracted.kind == Kind::number) return operand(1);
    return subtracted.kind == Kind::undefined ? Origin{} : Origin{Kind::unknown, {}};
  }
  if (opcode == "mad" && count == 4) {
    const bool scales_address =
        operand(1).kind == Kind::variable || operand(2).kind == Kind::variable;
    return scales_address ? Origin{Kind::unknown, {}} : operand(3);
  }
  if (!only_computes(instruction)) return {Kind::number, {}};
  // Whatever else is done with an address: nobody knows where it points then.
  for (std::size_t i = 1; i < count; ++i) {
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
