#include "emulator/stats/steps.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "emulator/ptx/registers.h"

namespace tmaemu::stats {
namespace {

// Those whose first operand is no result, or one that holds nothing of what they are given.
bool gives_no_result(std::string_view opcode) {
  static constexpr std::array<std::string_view, 27> opcodes{"applypriority",
                                                            "bar",
                                                            "barrier",
                                                            "bra",
                                                            "brkpt",
                                                            "brx",
                                                            "call",
                                                            "cp",
                                                            "discard",
                                                            "exit",
                                                            "fence",
                                                            "membar",
                                                            "griddepcontrol",
                                                            "mbarrier",
                                                            "multimem",
                                                            "nanosleep",
                                                            "pmevent",
                                                            "prefetch",
                                                            "ret",
                                                            "setmaxnreg",
                                                            "tensormap",
                                                            "trap",
                                                            "prefetchu",
                                                            "createpolicy",
                                                            "elect",
                                                            "clusterlaunchcontrol",
                                                            "wgmma"};
  return std::ranges::find(opcodes, opcode) != opcodes.end();
}

bool has(const ptx::Instruction& instruction, std::string_view part) {
  return std::ranges::find(instruction.parts, part) != instruction.parts.end();
}

bool is_parameter(const ptx::Function& function, const ptx::Instruction& load) {
  if (!function.is_entry || load.operands.size() < 2) return false;
  return std::ranges::any_of(function.parameters, [&](const ptx::Variable& parameter) {
    return parameter.name == load.operands[1].name;
  });
}

Step::Kind kind_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.parts.front();
  if (opcode == "st" || opcode == "red" || opcode == "stmatrix") {
    if (has(instruction, "param") || has(instruction, "param::func")) return Step::Kind::passes;
    const bool is_plain = opcode == "st" && !has(instruction, "async");
    const bool names_memory = has(instruction, "global") || has(instruction, "shared") ||
                              has(instruction, "shared::cta") ||
                              has(instruction, "shared::cluster");
    return is_plain && !names_memory ? Step::Kind::stores_local : Step::Kind::stores;
  }
  if (opcode == "ld" || opcode == "ldu" || opcode == "ldmatrix") {
    const bool is_param = std::ranges::any_of(
        instruction.parts, [](std::string_view part) { return part.starts_with("param"); });
    if (!is_param) return Step::Kind::loads;
    return is_parameter(function, instruction) ? Step::Kind::computes : Step::Kind::takes;
  }
  if (opcode == "atom") return Step::Kind::adds;
  if (opcode == "shfl" || opcode == "redux" || opcode == "vote" || opcode == "match") {
    return Step::Kind::meets;
  }
  return gives_no_result(opcode) ? Step::Kind::other : Step::Kind::computes;
}

}  // namespace

class Steps::Reader {
 public:
  Reader(Steps& steps, const ptx::Function& function) : steps_(steps), function_(function) {}

  Step read(const ptx::Instruction& instruction) {
    Step step;
    step.kind = kind_of(function_, instruction);
    step.first = static_cast<std::uint32_t>(steps_.registers_.size());
    const bool has_result = step.kind != Step::Kind::other && step.kind != Step::Kind::stores &&
                            step.kind != Step::Kind::stores_local &&
                            step.kind != Step::Kind::passes;
    const auto& operands = instruction.operands;
    if (step.kind == Step::Kind::other || operands.empty()) return step;
    if (has_result) step.results = add(operands.front());
    // What an address is made of is not what is there.
    for (std::size_t i = has_result ? 1 : 0; i < operands.size(); ++i) {
      if (operands[i].kind == ptx::Operand::Kind::reg ||
          operands[i].kind == ptx::Operand::Kind::vector) {
        step.sources = static_cast<std::uint16_t>(step.sources + add(operands[i]));
      }
    }
    return step;
  }

 private:
  std::uint16_t add(const ptx::Operand& operand) {
    const std::size_t before = steps_.registers_.size();
    ptx::for_each_register(operand, [&](std::string_view name) {
      name = name.substr(0, name.find('.', 1));  // an element of a vector: the whole
      const auto [found, is_new] =
          numbers_.try_emplace(name, static_cast<std::uint32_t>(steps_.register_count_));
      if (is_new) ++steps_.register_count_;
      steps_.registers_.push_back(found->second);
    });
    return static_cast<std::uint16_t>(steps_.registers_.size() - before);
  }

  Steps& steps_;
  const ptx::Function& function_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

Steps::Steps(const Program& program) {
  std::unordered_map<const ptx::Instruction*, Step> steps;
  for (const DecodedFunction& function : program.functions) {
    Reader reader(*this, *function.function);
    for (const ptx::Instruction& instruction : function.function->body) {
      steps.emplace(&instruction, reader.read(instruction));
      if (instruction.parts.front() == "mbarrier" &&
          (has(instruction, "test_wait") || has(instruction, "try_wait"))) {
        waits_for_phases_ = true;
      }
    }
  }
  for (const ptx::Instruction* site : program.sites) {
    const auto found = steps.find(site);
    steps_.push_back(found == steps.end() ? Step{} : found->second);
  }
}

}  // namespace tmaemu::stats
