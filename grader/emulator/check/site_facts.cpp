#include "emulator/check/site_facts.h"

#include <map>
#include <span>
#include <unordered_map>

#include "emulator/check/bit_fields.h"
#include "emulator/check/dataflow.h"
#include "emulator/check/polls.h"
#include "emulator/diagnostics/places.h"
#include "emulator/program/flow.h"
#include "emulator/tensor/product.h"

namespace tmaemu::check {
namespace {

// It asks an mbarrier, or a flag, and its first operand is the answer.
bool is_question(const Effects& effects) {
  return effects.asks_phase || (effects.memory == Effects::Memory::load && effects.is_strong);
}

bool is_plain_store(const ptx::Instruction& instruction, const Effects& effects) {
  using Memory = Effects::Memory;
  return (effects.memory == Memory::store || effects.memory == Memory::atomic) &&
         !instruction.guard;
}

// atomicExch() to set a value: nobody looks at what it found.
bool is_exchange_for_write(const ptx::Instruction& instruction, const Effects& effects,
                           const Dataflow& dataflow) {
  if (!effects.is_exchange) return false;
  return effects.writes.is_empty() || !dataflow.is_used(instruction.operands.front().name);
}

// A store that every thread executes which has executed the instruction, unless it never ends, and
// from which there is no way back to it: who has executed the store will not come to the
// instruction any more. Nothing where there is none among the next few stores.
std::optional<std::size_t> find_store_behind(const ptx::Function& function,
                                             std::span<const Effects> effects, const Flow& flow,
                                             std::size_t instruction) {
  constexpr int most = 8;
  int tried = 0;
  for (std::size_t i = instruction + 1; i < effects.size() && tried < most; ++i) {
    if (!is_plain_store(function.body[i], effects[i])) continue;
    ++tried;
    if (flow.is_always_behind(instruction, i) && !flow.leads(i, instruction)) return i;
  }
  return std::nullopt;
}

// 0 where there is no product.
std::uint32_t number_of_accumulators(const tensor::Product* product) {
  if (product == nullptr) return 0;
  return product->n << 8 | (static_cast<std::uint32_t>(product->accumulator) + 1);
}

// Whether the operand is that number, as far as one can see: nvcc writes `mov.u32 %r1, 31;`, and
// the register.
bool is_number(const ptx::Operand& operand, std::uint64_t number, const ptx::Function& function,
               std::span<const Effects> effects) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::integer) return operand.bits == number;
  if (operand.kind != Kind::reg) return false;
  bool is_written = false;
  bool is_other = false;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const ptx::Instruction& instruction = function.body[i];
    for_each_register_written(instruction, effects[i], [&](std::string_view name) {
      if (name != operand.name) return;
      is_written = true;
      const bool is_it = effects[i].computation == Computation::copy && !instruction.guard &&
                         instruction.operands[1].kind == Kind::integer &&
                         instruction.operands[1].bits == number;
      is_other |= !is_it;
    });
  }
  return is_written && !is_other;
}

// shfl.sync.down.b32 d, a, b, c, members, where c says that no lane but the last ends a segment.
bool is_shuffle_down_of_warp(std::size_t shuffle, const ptx::Function& function,
                             std::span<const Effects> effects) {
  constexpr std::uint64_t whole_warp = 31;
  return effects[shuffle].shuffles_down &&
         is_number(function.body[shuffle].operands[3], whole_warp, function, effects);
}

}  // namespace

SiteFacts::SiteFacts(const Program& program)
    : variables_(program.sites.size()),
      accumulators_(program.sites.size()),
      unset_results_(program.sites.size()),
      unset_factors_(program.sites.size()),
      stores_behind_(program.sites.size(), nowhere),
      is_store_behind_(program.sites.size()),
      reaches_(program.sites.size()),
      shuffles_down_(program.sites.size()),
      vain_questions_(program.sites.size()),
      answered_(program.sites.size()),
      polls_(program.sites.size()),
      read_only_loads_(program.sites.size()),
      reads_to_write_(program.sites.size()) {
  for (std::size_t site = 0; site < program.effects.size(); ++site) {
    accumulators_[site] = number_of_accumulators(program.effects[site].product);
  }
  const LaunchRequest no_request;
  const Places places(program, no_request);
  std::map<Places::Line, std::uint32_t> numbers;
  for (std::uint32_t site = 0; site < program.sites.size(); ++site) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    lines_.push_back(numbers.emplace(places.line(site), number).first->second);
  }
  std::unordered_map<std::string_view, const SharedVariable*> by_symbol;
  for (const SharedVariable& variable : program.shared_variables) {
    if (variable.bytes != 0) by_symbol.emplace(variable.symbol, &variable);
  }
  for (const DecodedFunction& decoded : program.functions) {
    if (decoded.function == nullptr) continue;
    const std::span<const Effects> effects = program.effects_of(decoded);
    const Dataflow dataflow(*decoded.function, effects);
    const BitFields bit_fields(*decoded.function, effects);
    const std::vector<bool> polls = Polls(*decoded.function, effects).find();
    look_at_convergence(decoded, effects, dataflow);
    for (std::size_t i = 0; i < effects.size(); ++i) {
      const ptx::Instruction& instruction = decoded.function->body[i];
      const std::size_t site = decoded.first_site + i;
      if (effects[i].goes_on) {
        unset_results_[site] = dataflow.has_unset(instruction.operands[0]);
        unset_factors_[site] = dataflow.has_unset(instruction.operands[1]);
      }
      polls_[site] = polls[i];
      read_only_loads_[site] = effects[i].is_read_only;
      reads_to_write_[site] = bit_fields.is_only_put_back(i) ||
                              is_exchange_for_write(instruction, effects[i], dataflow);
      if (effects[i].writes.has(0) &&
          instruction.operands.front().kind == ptx::Operand::Kind::reg) {
        const bool is_used = dataflow.is_used(instruction.operands.front().name);
        vain_questions_[site] = is_question(effects[i]) && !is_used;
        answered_[site] = effects[i].memory == Effects::Memory::atomic && is_used;
      }
      if (effects[i].address == Effects::no_operand) continue;
      const ptx::Operand& address = instruction.operands[effects[i].address];
      const auto variable = by_symbol.find(dataflow.variable_of(address));
      if (variable != by_symbol.end()) variables_[site] = variable->second;
    }
  }
}

void SiteFacts::look_at_convergence(const DecodedFunction& decoded,
                                    std::span<const Effects> effects, const Dataflow& dataflow) {
  using Convergence = Effects::Convergence;
  constexpr std::size_t most = 64;  // each of them costs a walk through the function
  std::vector<std::size_t> convergent;
  for (std::size_t i = 0; i < effects.size() && convergent.size() < most; ++i) {
    if (effects[i].convergence != Convergence::none) convergent.push_back(i);
  }
  if (convergent.empty()) return;
  const Flow flow(*decoded.function, effects);
  for (const std::size_t at : convergent) {
    const std::size_t site = decoded.first_site + at;
    if (effects[at].convergence == Convergence::shuffle) {
      reaches_[site] = dataflow.always_reaches(
          at, [&](std::size_t instruction) { return flow.is_always_behind(at, instruction); });
      shuffles_down_[site] = is_shuffle_down_of_warp(at, *decoded.function, effects);
    }
    const auto store = find_store_behind(*decoded.function, effects, flow, at);
    if (!store) continue;
    const std::size_t behind = decoded.first_site + *store;
    stores_behind_[site] = static_cast<std::uint32_t>(behind);
    is_store_behind_[behind] = true;
  }
}

bool loads_behind_wait(const Program& program, const SiteFacts& facts, std::uint32_t wait) {
  const DecodedFunction* const decoded = function_of(program, wait);
  if (decoded == nullptr) return false;
  const std::size_t place = wait - decoded->first_site;
  const std::span<const Effects> effects = program.effects_of(*decoded);
  const Flow flow(*decoded->function, effects);
  std::vector<bool> waits(effects.size());
  for (std::size_t i = 0; i < effects.size(); ++i) waits[i] = effects[i].asks_phase;
  const auto begins_without_wait = [&](std::size_t load) {
    std::vector<bool> loads(effects.size());
    for (std::size_t i = 0; i < effects.size(); ++i) {
      loads[i] = effects[i].loads_tile &&
                 facts.are_of_one_line(static_cast<std::uint32_t>(decoded->first_site + i),
                                       static_cast<std::uint32_t>(decoded->first_site + load));
    }
    return flow.leads_without(0, loads, waits);
  };
  std::vector<bool> loads(effects.size());
  for (std::size_t i = 0; i < effects.size(); ++i) {
    loads[i] = effects[i].loads_tile && !begins_without_wait(i);
  }
  waits[place] = false;
  return flow.leads_without(place, loads, waits);
}

}  // namespace tmaemu::check
