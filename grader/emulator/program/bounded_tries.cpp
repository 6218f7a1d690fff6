#include "emulator/program/bounded_tries.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "emulator/program/flow.h"
#include "emulator/ptx/registers.h"

namespace tmaemu {
namespace {

// Registers whose values are known: of predicates, 0 and 1.
using Known = std::map<std::string_view, std::uint64_t>;

std::optional<std::uint64_t> value_of(const ptx::Operand& operand, const Known& known) {
  if (operand.kind == ptx::Operand::Kind::integer) return operand.bits;
  if (operand.kind != ptx::Operand::Kind::reg || !operand.part.empty()) return std::nullopt;
  const auto found = known.find(operand.name);
  if (found == known.end()) return std::nullopt;
  return operand.negated ? found->second ^ 1 : found->second;
}

// What `a op b` is where one of them is known, and that decides.
std::optional<std::uint64_t> combined(std::string_view op, std::optional<std::uint64_t> a,
                                      std::optional<std::uint64_t> b) {
  if (a && b) {
    if (op == "and") return *a & *b;
    return op == "or" ? *a | *b : *a ^ *b;
  }
  const auto& one = a ? a : b;
  if (op == "and" && one == 0) return 0;
  if (op == "or" && one == 1) return 1;
  return std::nullopt;
}

// What the instruction computes, where that is known; of few instructions it is asked.
std::optional<std::uint64_t> result_of(const ptx::Instruction& instruction, const Known& known) {
  const std::string_view op = instruction.parts.front();
  const auto& operands = instruction.operands;
  const auto value = [&](std::size_t i) { return value_of(operands[i], known); };
  const bool is_predicate = instruction.parts.back() == "pred";
  if (op == "mov" && operands.size() == 2) return value(1);
  if (op == "not" && is_predicate) {
    const auto negated = value(1);
    return negated ? std::optional(*negated ^ 1) : std::nullopt;
  }
  // Of numbers "or" decides nothing by one operand that is 1.
  if (op == "and" || op == "xor" || (op == "or" && is_predicate)) {
    return combined(op, value(1), value(2));
  }
  if (op == "selp") {
    const auto chosen = value(3);
    return chosen ? value(*chosen != 0 ? 1 : 2) : std::nullopt;
  }
  const bool compares = op == "setp" && operands.size() == 3 && instruction.parts.size() == 3;
  if (!compares || !operands[0].second_name.empty()) return std::nullopt;
  const std::string_view relation = instruction.parts[1];
  const auto left = value(1);
  const auto right = value(2);
  if (!left || !right || (relation != "eq" && relation != "ne")) return std::nullopt;
  return (*left == *right) == (relation == "eq");
}

// What can be executed behind an answer, before the next question.
class Walk {
 public:
  Walk(const ptx::Function& function, std::span<const Effects> effects, const Flow& flow)
      : function_(function), effects_(effects), flow_(flow) {}

  // False where it is too long.
  bool from(std::size_t question, std::uint64_t answer) {
    Known known;
    for_each_register_written(function_.body[question], effects_[question],
                              [&](std::string_view name) { known[name] = answer; });
    for (const std::size_t next : flow_.next(question)) visit(next, known);
    constexpr std::size_t most = 20'000;
    for (std::size_t steps = 0; !open_.empty(); ++steps) {
      if (steps == most) return false;
      const std::size_t at = open_.back();
      open_.pop_back();
      step(at, states_.at(at));
    }
    return true;
  }
  bool reaches(std::size_t instruction) const { return states_.contains(instruction); }

 private:
  // Behind the last instruction is the end.
  void visit(std::size_t at, const Known& known) {
    if (at >= effects_.size()) return;
    const auto [state, is_new] = states_.try_emplace(at, known);
    const std::size_t before = state->second.size();
    if (!is_new) {
      std::erase_if(state->second, [&](const auto& entry) {
        const auto other = known.find(entry.first);
        return other == known.end() || other->second != entry.second;
      });
    }
    if (is_new || state->second.size() != before) open_.push_back(at);
  }

  void step(std::size_t at, Known known) {
    if (effects_[at].asks_phase) return;
    const ptx::Instruction& instruction = function_.body[at];
    const auto guard =
        instruction.guard ? value_of(*instruction.guard, known) : std::optional<std::uint64_t>(1);
    const bool is_executed = guard != 0;
    const bool is_jump = effects_[at].next != Effects::Next::following;
    if (is_executed && !is_jump) {
      const auto result =
          guard == 1 && effects_[at].only_computes() ? result_of(instruction, known) : std::nullopt;
      for_each_register_written(instruction, effects_[at],
                                [&](std::string_view name) { known.erase(name); });
      if (result) known[instruction.operands.front().name] = *result;
    }
    for (const std::size_t next : flow_.next(at)) {
      const bool falls_through = next == at + 1;
      if (is_jump && instruction.guard && guard && (falls_through ? guard == 1 : guard == 0))
        continue;
      visit(next, known);
    }
  }

  const ptx::Function& function_;
  std::span<const Effects> effects_;
  const Flow& flow_;
  std::unordered_map<std::size_t, Known> states_;  // before each instruction
  std::vector<std::size_t> open_;
};

bool are_of_one_line(const ptx::Instruction& a, const ptx::Instruction& b) {
  if (&a == &b) return true;
  return a.source.line != 0 && a.source.line == b.source.line &&
         a.source.column == b.source.column && a.source.file == b.source.file;
}

// By a thread or by an operation that it issues.
bool reads_shared(const Effects& effects) {
  const bool is_there =
      effects.space == Effects::Space::shared || effects.space == Effects::Space::generic;
  return (effects.memory == Effects::Memory::load && is_there) || effects.goes_on || effects.copies;
}

}  // namespace

std::vector<std::size_t> bounded_tries(const ptx::Function& function,
                                       std::span<const Effects> effects) {
  std::vector<std::size_t> questions;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i].asks_phase) questions.push_back(i);
  }
  if (questions.empty()) return {};
  const Flow flow(function, effects);
  // The questions of the same line that may come next where the answer is no: one loop's, which the
  // compiler may have unrolled.
  std::map<std::size_t, std::vector<std::size_t>> next_tries;
  std::set<std::size_t> tried_again;
  std::set<std::size_t> bounded;
  for (const std::size_t question : questions) {
    Walk no(function, effects, flow);
    if (!no.from(question, 0)) continue;
    for (const std::size_t other : questions) {
      const bool is_next =
          no.reaches(other) && are_of_one_line(function.body[question], function.body[other]);
      if (!is_next) continue;
      next_tries[question].push_back(other);
      tried_again.insert({question, other});
    }
    std::vector<std::size_t> reads;
    for (std::size_t i = 0; i < effects.size(); ++i) {
      if (reads_shared(effects[i]) && no.reaches(i)) reads.push_back(i);
    }
    if (reads.empty()) continue;
    Walk yes(function, effects, flow);
    const bool goes_on = yes.from(question, 1) && std::ranges::any_of(reads, [&](std::size_t read) {
                           return yes.reaches(read);
                         });
    if (goes_on) bounded.insert(question);
  }
  std::erase_if(bounded, [&](std::size_t question) { return !tried_again.contains(question); });
  // And those that lead there.
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const auto& [question, others] : next_tries) {
      if (std::ranges::any_of(others, [&](std::size_t other) { return bounded.contains(other); })) {
        has_grown |= bounded.insert(question).second;
      }
    }
  }
  return {bounded.begin(), bounded.end()};
}

std::optional<std::uint32_t> bounded_try_before(const Program& program, std::uint32_t site) {
  const auto& bounded = program.bounded_tries;
  if (bounded.empty()) return std::nullopt;
  std::uint32_t at = site;
  while (at != 0 && !program.effects[at].asks_phase) --at;
  if (std::ranges::find(bounded, at) == bounded.end()) return std::nullopt;
  return at;
}

}  // namespace tmaemu
