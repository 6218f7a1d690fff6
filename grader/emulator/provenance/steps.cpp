#include "emulator/provenance/steps.h"

#include <string_view>
#include <unordered_map>

namespace tmaemu::provenance {
namespace {

constexpr std::size_t factor_operand = 1;  // of a wgmma.mma_async: A

Step::Kind kind_of_load(const Effects& effects) {
  const bool is_parameter = effects.space == Effects::Space::parameter;
  return is_parameter ? Step::Kind::computes : Step::Kind::loads;
}

Step::Kind kind_of(const Effects& effects) {
  using Convergence = Effects::Convergence;
  using Memory = Effects::Memory;
  if (effects.memory == Memory::store) return Step::Kind::stores;
  if (effects.memory == Memory::load) return kind_of_load(effects);
  if (effects.memory == Memory::atomic) {
    return effects.writes.is_empty() ? Step::Kind::stores : Step::Kind::adds;
  }
  const bool multiplies = effects.product != nullptr;
  if (multiplies || effects.convergence == Convergence::exchange ||
      effects.convergence == Convergence::shuffle) {
    return Step::Kind::meets;
  }
  return effects.only_computes() ? Step::Kind::computes : Step::Kind::other;
}

}  // namespace

class Steps::Reader {
 public:
  explicit Reader(Steps& steps) : steps_(steps) {}

  Step read(const ptx::Instruction& instruction, const Effects& effects) {
    Step step;
    step.kind = kind_of(effects);
    step.asks_phase = effects.asks_phase;
    step.asks_without_waiting = effects.asks_once;
    step.is_of_warpgroup = effects.goes_on;
    step.takes_registers = effects.registers_taken != 0;
    step.first = static_cast<std::uint32_t>(steps_.registers_.size());
    if (step.kind == Step::Kind::other) return step;
    for_each_register_written(instruction, effects, [&](std::string_view name) {
      add(name);
      ++step.results;
    });
    // What an address is made of is not what is there.
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const ptx::Operand& operand = instruction.operands[i];
      if (!effects.reads.has(i) || operand.kind == ptx::Operand::Kind::address) continue;
      const std::uint16_t before = step.sources;
      ptx::for_each_register(operand, [&](std::string_view name) {
        add(name);
        ++step.sources;
      });
      // A vector is the matrix, a single register its descriptor.
      if (step.is_of_warpgroup && i == factor_operand &&
          operand.kind == ptx::Operand::Kind::vector) {
        step.first_factor = before;
        step.factors = step.sources - before;
      }
    }
    return step;
  }

 private:
  void add(std::string_view name) {
    name = name.substr(0, name.find('.', 1));  // an element of a vector: the whole
    const auto [found, is_new] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(steps_.register_count_));
    if (is_new) ++steps_.register_count_;
    steps_.registers_.push_back(found->second);
  }

  Steps& steps_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

Steps::Steps(const Program& program) : steps_(program.sites.size()) {
  for (const DecodedFunction& function : program.functions) {
    Reader reader(*this);
    const std::span<const Effects> effects = program.effects_of(function);
    for (std::size_t i = 0; i < effects.size(); ++i) {
      steps_[function.first_site + i] = reader.read(function.function->body[i], effects[i]);
      waits_for_phases_ = waits_for_phases_ || effects[i].asks_phase;
      has_warpgroups_ = has_warpgroups_ || steps_[function.first_site + i].is_of_warpgroup;
    }
  }
}

}  // namespace tmaemu::provenance
