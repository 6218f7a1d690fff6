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

// One of the shortest: without `from`, and with `to`.
std::vector<std::size_t> Flow::find_way(std::size_t from, std::size_t to,
                                        const std::vector<bool>& without) const {
  std::vector<std::size_t> came_from(next_.size(), nothing);
  std::vector<std::size_t> open{from};
  for (std::size_t i = 0; i < open.size() && came_from[to] == nothing; ++i) {
    for (const std::size_t next : next_[open[i]]) {
      if (came_from[next] != nothing || (next != to && (next == end_ || without[next]))) continue;
      came_from[next] = open[i];
      open.push_back(next);
    }
  }
  std::vector<std::size_t> way;
  if (came_from[to] == nothing) return way;
  for (std::size_t at = to; way.empty() || at != from; at = came_from[at]) way.push_back(at);
  std::ranges::reverse(way);
  return way;
}

// All that are always executed lie on whatever way there is. Those that another way leads around
// are the ones in front of the furthest that is reached without them.
std::vector<std::size_t> Flow::always_between(std::size_t from, std::size_t to,
                                              const std::vector<bool>& without) const {
  const std::vector<std::size_t> way = find_way(from, to, without);
  std::vector<std::size_t> place(next_.size(), nothing);
  for (std::size_t i = 0; i < way.size(); ++i) place[way[i]] = i;
  std::vector<std::size_t> always;
  std::vector<bool> seen(next_.size());
  std::vector<std::size_t> open{from};
  std::size_t furthest = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t next : next_[at]) {
        if (place[next] != nothing) {
          furthest = std::max(furthest, place[next]);
        } else if (next != end_ && !without[next] && !seen[next]) {
          seen[next] = true;
          open.push_back(next);
        }
      }
    }
    if (furthest == i) always.push_back(way[i]);
    open.push_back(way[i]);
  }
  return always;
}

const DecodedFunction* function_of(const Program& program, std::uint32_t site) {
  const auto found = std::ranges::find_if(program.functions, [&](const DecodedFunction& decoded) {
    return decoded.function != nullptr && site >= decoded.first_site &&
           site - decoded.first_site < decoded.function->body.size();
  });
  return found == program.functions.end() ? nullptr : &*found;
}

bool may_come_to(const Program& program, std::uint32_t from, std::uint32_t to) {
  const DecodedFunction* const decoded = function_of(program, from);
  if (decoded == nullptr || decoded != function_of(program, to)) return true;
  return Flow(*decoded->function, program.effects_of(*decoded))
      .leads(from - decoded->first_site, to - decoded->first_site);
}

}  // namespace tmaemu
