#include "emulator/check/polls.h"

#include <algorithm>

#include "emulator/program/flow.h"
#include "emulator/ptx/registers.h"

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using Memory = Effects::Memory;

// What is stored there comes back in a register that nobody follows: arguments, results, spills.
bool is_stored_for_later(const Effects& effects) {
  return effects.memory == Memory::store &&
         (effects.space == Effects::Space::call || effects.space == Effects::Space::local);
}

// Calls visit(name) for each register whose value the instruction makes a decision of.
template <class Visit>
void for_each_decision(const Instruction& instruction, const Effects& effects, Visit visit) {
  constexpr std::size_t chooser = 3;  // of selp and slct
  if (instruction.guard) ptx::for_each_register(*instruction.guard, visit);
  if (is_stored_for_later(effects)) for_each_register_read(instruction, effects, visit);
  if (effects.computation == Computation::choice && instruction.operands.size() > chooser) {
    ptx::for_each_register(instruction.operands[chooser], visit);
  }
}

}  // namespace

Polls::Polls(const ptx::Function& function, std::span<const Effects> effects)
    : function_(function), effects_(effects) {}

bool Polls::is_strong_load(std::size_t instruction) const {
  return effects_[instruction].memory == Memory::load && effects_[instruction].is_strong;
}

bool Polls::brings_to(std::size_t load, const Registers& registers) const {
  bool brings = false;
  for_each_register_written(function_.body[load], effects_[load],
                            [&](std::string_view name) { brings |= registers.contains(name); });
  return brings;
}

// By registers: what computes them, and the strong loads that bring them.
Polls::Definitions Polls::definitions() const {
  Definitions definitions;
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    if (effects_[i].memory != Memory::none && !is_strong_load(i)) continue;
    for_each_register_written(function_.body[i], effects_[i],
                              [&](std::string_view name) { definitions[name].push_back(i); });
  }
  return definitions;
}

// Adds what the registers are computed from, and returns the strong loads among it.
std::vector<std::size_t> Polls::add_sources(Registers& registers,
                                            const Definitions& definitions) const {
  std::vector<std::size_t> loads;
  std::vector<std::string_view> open(registers.begin(), registers.end());
  while (!open.empty()) {
    const auto found = definitions.find(open.back());
    open.pop_back();
    if (found == definitions.end()) continue;
    for (const std::size_t i : found->second) {
      if (is_strong_load(i)) {
        loads.push_back(i);
        continue;
      }
      for_each_register_read(function_.body[i], effects_[i], [&](std::string_view name) {
        if (registers.insert(name).second) open.push_back(name);
      });
    }
  }
  return loads;
}

// The registers that a decision is computed from.
Polls::Registers Polls::deciding(const Definitions& definitions) const {
  Registers deciding;
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    for_each_decision(function_.body[i], effects_[i],
                      [&](std::string_view name) { deciding.insert(name); });
  }
  add_sources(deciding, definitions);
  return deciding;
}

// Branches whose outcome is computed from what strong loads bring.
std::vector<Polls::Branch> Polls::branches_on_strong_loads(const Definitions& definitions) const {
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    const auto& guard = function_.body[i].guard;
    if (effects_[i].next != Effects::Next::label || !guard) continue;
    Registers registers;
    ptx::for_each_register(*guard, [&](std::string_view name) { registers.insert(name); });
    const std::vector<std::size_t> loads = add_sources(registers, definitions);
    if (loads.empty()) continue;
    Branch& branch = branches.emplace_back(Branch{i, std::vector<bool>(effects_.size())});
    for (const std::size_t load : loads) branch.loads[load] = true;
  }
  return branches;
}

std::vector<bool> Polls::find() const {
  std::vector<bool> polls(effects_.size());
  std::vector<std::size_t> others;
  const Definitions known = definitions();
  const Registers registers = deciding(known);
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    if (!is_strong_load(i)) continue;
    polls[i] = brings_to(i, registers);
    if (!polls[i]) others.push_back(i);
  }
  if (others.empty()) return polls;
  const std::vector<Branch> branches = branches_on_strong_loads(known);
  if (branches.empty()) return polls;
  constexpr std::size_t most = 256;  // each costs walks through the function
  const Flow flow(function_, effects_);
  // As who reads under a sequence number does: back to the load, or not, from a decision on what
  // was asked for behind it, and to the decision only by way of the load. The loop that waits for a
  // flag before something is read has a decision that comes around without the load, or the load is
  // behind it whatever it says; and one that says whether to go on to the next flag is on what was
  // asked for before.
  const auto is_read_again = [&](std::size_t load, const Branch& branch) {
    std::vector<bool> only_branch(effects_.size());
    std::vector<bool> only_load(effects_.size());
    only_branch[branch.instruction] = true;
    only_load[load] = true;
    return flow.leads(branch.instruction, load) && flow.leads(load, branch.instruction) &&
           !flow.is_always_behind(branch.instruction, load) &&
           flow.leads_without(load, branch.loads, only_branch) &&
           !flow.leads_without(branch.instruction, only_branch, only_load);
  };
  const bool is_too_much = others.size() * branches.size() > most;
  for (const std::size_t load : others) {
    polls[load] = is_too_much || std::ranges::any_of(branches, [&](const Branch& branch) {
                    return is_read_again(load, branch);
                  });
  }
  return polls;
}

}  // namespace tmaemu::check
