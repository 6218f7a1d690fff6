#include "emulator/check/polls.h"

#include <algorithm>
#include <unordered_map>

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

// The registers that a decision is computed from.
Polls::Registers Polls::deciding() const {
  std::unordered_map<std::string_view, std::vector<std::size_t>> definitions;
  Registers deciding;
  std::vector<std::string_view> found;
  const auto decide = [&](std::string_view name) {
    if (deciding.insert(name).second) found.push_back(name);
  };
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    for_each_decision(function_.body[i], effects_[i], decide);
    if (effects_[i].memory != Memory::none) continue;
    for_each_register_written(function_.body[i], effects_[i],
                              [&](std::string_view name) { definitions[name].push_back(i); });
  }
  while (!found.empty()) {
    const std::string_view name = found.back();
    found.pop_back();
    for (const std::size_t i : definitions[name]) {
      for_each_register_read(function_.body[i], effects_[i], decide);
    }
  }
  return deciding;
}

// Branches whose outcome is computed from what strong loads bring.
std::vector<std::size_t> Polls::branches_on_strong_loads() const {
  Registers brought;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      bool brings = is_strong_load(i);
      if (effects_[i].memory == Memory::none) {
        for_each_register_read(function_.body[i], effects_[i],
                               [&](std::string_view name) { brings |= brought.contains(name); });
      }
      if (!brings) continue;
      for_each_register_written(function_.body[i], effects_[i], [&](std::string_view name) {
        has_grown |= brought.insert(name).second;
      });
    }
  }
  std::vector<std::size_t> branches;
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    const auto& guard = function_.body[i].guard;
    if (effects_[i].next != Effects::Next::label || !guard) continue;
    ptx::for_each_register(*guard, [&](std::string_view name) {
      if (brought.contains(name)) branches.push_back(i);
    });
  }
  return branches;
}

std::vector<bool> Polls::find() const {
  std::vector<bool> polls(effects_.size());
  std::vector<std::size_t> others;
  const Registers registers = deciding();
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    if (!is_strong_load(i)) continue;
    polls[i] = brings_to(i, registers);
    if (!polls[i]) others.push_back(i);
  }
  if (others.empty()) return polls;
  const std::vector<std::size_t> branches = branches_on_strong_loads();
  if (branches.empty()) return polls;
  constexpr std::size_t most = 256;  // each costs walks through the function
  const Flow flow(function_, effects_);
  // As who reads under a sequence number does: back to the load from a decision that comes behind
  // it, and to the decision only by way of the load. The loop that waits for a flag before
  // something is read has a decision that comes around without the load.
  const auto is_read_again = [&](std::size_t load, std::size_t branch) {
    std::vector<bool> only_branch(effects_.size());
    std::vector<bool> only_load(effects_.size());
    only_branch[branch] = true;
    only_load[load] = true;
    return flow.leads(branch, load) && flow.leads(load, branch) &&
           !flow.leads_without(branch, only_branch, only_load);
  };
  const bool is_too_much = others.size() * branches.size() > most;
  for (const std::size_t load : others) {
    polls[load] = is_too_much || std::ranges::any_of(branches, [&](std::size_t branch) {
                    return is_read_again(load, branch);
                  });
  }
  return polls;
}

}  // namespace tmaemu::check
