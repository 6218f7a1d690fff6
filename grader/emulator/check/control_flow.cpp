#include "emulator/check/control_flow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace tmaemu::check {
namespace {

using ptx::Instruction;

bool ends(const Instruction& instruction) {
  const std::string_view opcode = instruction.parts.front();
  return opcode == "ret" || opcode == "exit" || opcode == "trap";
}

bool is_plain_store(const Instruction& instruction) {
  const std::string_view opcode = instruction.parts.front();
  return (opcode == "st" || opcode == "red" || opcode == "atom") && !instruction.guard;
}

}  // namespace

ControlFlow::ControlFlow(const ptx::Function& function)
    : function_(function), end_(function.body.size()), next_(end_ + 1) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (const ptx::Label& label : function.labels) positions.emplace(label.name, label.position);
  const auto add_label = [&](std::size_t from, std::string_view label) {
    const auto found = positions.find(label);
    if (found != positions.end()) next_[from].push_back(found->second);
  };
  for (std::size_t i = 0; i < end_; ++i) {
    const Instruction& instruction = function.body[i];
    const std::string_view opcode = instruction.parts.front();
    bool falls_through = true;
    if (ends(instruction)) {
      next_[i].push_back(end_);
      falls_through = instruction.guard.has_value();
    } else if (opcode == "bra" && !instruction.operands.empty()) {
      add_label(i, instruction.operands.front().name);
      falls_through = instruction.guard.has_value();
    } else if (opcode == "brx") {
      for (const ptx::BranchTargets& targets : function.branch_targets) {
        for (const std::string_view label : targets.labels) add_label(i, label);
      }
      falls_through = false;
    }
    if (falls_through) next_[i].push_back(i + 1);
  }
}

bool ControlFlow::is_reachable(std::size_t from, std::size_t to, std::size_t avoiding) const {
  std::vector<bool> seen(next_.size());
  std::vector<std::size_t> open = next_[from];
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at == to) return true;
    if (at == avoiding || seen[at]) continue;
    seen[at] = true;
    open.insert(open.end(), next_[at].begin(), next_[at].end());
  }
  return false;
}

std::optional<std::size_t> ControlFlow::store_behind(std::size_t instruction) const {
  constexpr int most = 8;
  int tried = 0;
  for (std::size_t i = instruction + 1; i < end_ && tried < most; ++i) {
    if (!is_plain_store(function_.body[i])) continue;
    ++tried;
    if (!is_reachable(instruction, end_, i) && !is_reachable(i, instruction, end_)) return i;
  }
  return std::nullopt;
}

}  // namespace tmaemu::check
