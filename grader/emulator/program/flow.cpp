#include "emulator/program/flow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace tmaemu {
namespace {

// The names of the labels that the instruction may jump to.
std::vector<std::string_view> labels_of(const ptx::Function& function,
                                        const ptx::Instruction& instruction, Effects::Next next) {
  if (next == Effects::Next::label) return {instruction.operands.front().name};
  const std::string_view list = instruction.operands.at(1).name;
  const auto& lists = function.branch_targets;
  const auto found = std::ranges::find(lists, list, &ptx::BranchTargets::name);
  return found == lists.end() ? std::vector<std::string_view>() : found->labels;
}

}  // namespace

Flow::Flow(const ptx::Function& function, std::span<const Effects> effects)
    : end_(function.body.size()), next_(end_ + 1) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (const ptx::Label& label : function.labels) positions.emplace(label.name, label.position);
  for (std::size_t i = 0; i < end_; ++i) {
    const ptx::Instruction& instruction = function.body[i];
    using Next = Effects::Next;
    const Next next = effects[i].next;
    if (next == Next::nowhere) next_[i].push_back(end_);
    if (next == Next::label || next == Next::labels) {
      for (const std::string_view label : labels_of(function, instruction, next)) {
        const auto found = positions.find(label);
        if (found != positions.end()) next_[i].push_back(found->second);
      }
    }
    if (next == Next::following || instruction.guard) next_[i].push_back(i + 1);
  }
}

bool Flow::is_reachable(std::size_t from, std::size_t to, std::size_t avoiding) const {
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

bool Flow::leads_without(std::size_t from, const std::vector<bool>& to,
                         const std::vector<bool>& without) const {
  std::vector<bool> seen(next_.size());
  std::vector<std::size_t> open = next_[from];
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at == end_ || seen[at] || without[at]) continue;
    if (to[at]) return true;
    seen[at] = true;
    open.insert(open.end(), next_[at].begin(), next_[at].end());
  }
  return false;
}

bool may_come_to(const Program& program, std::uint32_t from, std::uint32_t to) {
  for (const DecodedFunction& decoded : program.functions) {
    if (decoded.function == nullptr) continue;
    const std::size_t size = decoded.function->body.size();
    const std::size_t begin = from - decoded.first_site;
    const std::size_t end = to - decoded.first_site;
    if (begin >= size && end >= size) continue;
    return begin >= size || end >= size ||
           Flow(*decoded.function, program.effects_of(decoded)).leads(begin, end);
  }
  return true;
}

}  // namespace tmaemu
