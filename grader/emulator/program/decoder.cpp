#include "emulator/program/decoder.h"

#include <algorithm>

#include "common/round_up.h"
#include "emulator/model/h200.h"

namespace tmaemu {
namespace {

using common::round_up;

// It is not known what it would do: it may look at everything.
Effects effects_of_refused(const ptx::Instruction& instruction) {
  Effects effects;
  effects.acts = true;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) effects.reads.add(i);
  return effects;
}

}  // namespace

std::vector<std::size_t> parameter_offsets(const std::vector<ptx::Variable>& parameters) {
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  for (const ptx::Variable& parameter : parameters) {
    const std::size_t offset = round_up(end, std::max<std::size_t>(parameter.alignment, 1));
    offsets.push_back(offset);
    end = offset + parameter.size();
  }
  return offsets;
}

Decoder::Decoder(const ptx::Module& module, const ptx::Function& function, SymbolLookup lookup,
                 const InstructionSet& instructions, const fatbin::KernelResources* machine_code)
    : module_(module),
      function_(&function),
      lookup_(std::move(lookup)),
      instructions_(instructions),
      shared_layout_(
          lay_out_shared(module, function, h200::reserved_shared_bytes_per_cta, machine_code)) {}

std::unique_ptr<Program> Decoder::decode() {
  program_ = std::make_unique<Program>();
  program_->module = &module_;
  program_->function = function_;
  program_->shared_bytes = shared_layout_.end;
  name_shared_variables();
  callee(*function_);
  // Calls add functions while others are decoded.
  for (std::size_t i = 0; i < program_->functions.size(); ++i) decode_function(i);
  resolve_targets();
  program_->local_bytes = program_->functions.front().local_bytes;
  return std::move(program_);
}

void Decoder::decode_function(std::size_t index) {
  current_function_ = index;
  function_ = current().function;
  current().entry = program_->code.size();
  current().first_site = program_->sites.size();
  registers_.clear();
  register_ranges_.clear();
  local_offsets_.clear();
  parameter_offsets_.clear();
  parameter_bytes_ = 0;
  asynchronous_.clear();
  targets_.clear();
  target_lists_.clear();
  // Program::true_slot is the first.
  current().constants.push_back({new_slot(0), 0, 1});
  declare_registers();
  declare_parameters();
  program_->code.reserve(program_->code.size() + function_->body.size() + 1);
  for (const ptx::Instruction& instruction : function_->body) decode_instruction(instruction);
  // A body that ends without `ret` returns.
  Operation end;
  end.execute = instructions_.end_of(*function_);
  end.site = static_cast<std::uint32_t>(program_->sites.empty() ? 0 : program_->sites.size() - 1);
  program_->code.push_back(end);
  note_register_uses();
  note_times();
  find_targets();
}

// A kernel's parameters are read from its parameter block, a function's from its own frame.
void Decoder::declare_parameters() {
  if (!function_->is_entry) {
    for (const ptx::Variable& result : function_->results) {
      current().results.push_back(declared_value(result));
    }
    for (const ptx::Variable& parameter : function_->parameters) {
      current().parameters.push_back(declared_value(parameter));
    }
    return;
  }
  const std::vector<std::size_t> offsets = parameter_offsets(function_->parameters);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    parameter_offsets_[function_->parameters[i].name] = static_cast<std::uint32_t>(offsets[i]);
    parameter_bytes_ = offsets[i] + function_->parameters[i].size();
  }
}

CallValue Decoder::declared_value(const ptx::Variable& variable) {
  if (variable.space == ptx::StateSpace::reg) {
    return {true, find_register(variable.name).slot, variable.size()};
  }
  return {false, local_offset_of(variable), variable.size()};
}

std::optional<CallValue> Decoder::call_memory(const ptx::Operand& operand,
                                              const ptx::Variable& declared) {
  const ptx::Variable* variable = operand.kind == ptx::Operand::Kind::symbol
                                      ? find_variable(operand.name, function_->variables)
                                      : nullptr;
  if (variable == nullptr && operand.kind == ptx::Operand::Kind::symbol) {
    // A function may pass on its own parameter; a kernel's are not in its frame.
    variable = find_variable(operand.name, function_->parameters);
    if (variable != nullptr && function_->is_entry) refuse("passes on a parameter of the kernel");
  }
  const std::size_t bytes = declared.size();
  if (variable != nullptr && variable->space == ptx::StateSpace::param) {
    if (variable->size() != bytes) {
      refuse("passes " + std::to_string(variable->size()) + " bytes where " +
             std::to_string(bytes) + " are declared");
    }
    return CallValue{false, local_offset_of(*variable), bytes};
  }
  if (lane_bytes(declared.type) == 0 || !declared.is_scalar()) {
    refuse("passes a register for what is none");
  }
  return std::nullopt;
}

CallValue Decoder::call_parameter(const ptx::Operand& operand, const ptx::Variable& parameter) {
  if (const auto value = call_memory(operand, parameter)) return *value;
  return {true, source(operand, lane_bytes(parameter.type)), parameter.size()};
}

CallValue Decoder::call_result(const ptx::Operand& operand, const ptx::Variable& result) {
  if (const auto value = call_memory(operand, result)) return *value;
  return {true, destination(operand, lane_bytes(result.type)), result.size()};
}

std::size_t Decoder::callee(const ptx::Function& function) {
  auto& functions = program_->functions;
  const auto known = std::ranges::find(functions, &function, &DecodedFunction::function);
  if (known != functions.end()) return static_cast<std::size_t>(known - functions.begin());
  DecodedFunction& added = functions.emplace_back();
  added.function = &function;
  added.address = lookup_(function.name).value_or(0);
  return functions.size() - 1;
}

void Decoder::decode_instruction(const ptx::Instruction& instruction) {
  Operation op;
  op.site = static_cast<std::uint32_t>(program_->sites.size());
  program_->sites.push_back(&instruction);
  program_->effects.emplace_back();
  current_operation_ = program_->code.size();
  current_instruction_ = &instruction;
  try {
    if (instruction.guard) {
      op.guard = predicate(*instruction.guard);
      op.guard_flip = instruction.guard->negated ? all_lanes : 0;
    }
    const InstructionRow row = instructions_.row_of(instruction);
    effects().computation = row.definition->computation;
    Instruction untaken(instruction, row.name);
    row.definition->decode(*this, untaken, op, *row.definition);
    untaken.refuse_rest();
  } catch (const Refusal& refusal) {
    std::erase_if(targets_, [&](const auto& target) { return target.first == current_operation_; });
    effects() = effects_of_refused(instruction);
    op.execute = instructions_.refusal;
    op.detail = program_->keep(std::string(instruction.mnemonic) + " " + refusal.reason);
    if (!refusal.is_ptx) note_no_ptx(instruction, refusal.reason);
  }
  program_->code.push_back(op);
}

void Decoder::note_no_ptx(const ptx::Instruction& instruction, const std::string& reason) {
  if (!program_->no_ptx.empty()) return;
  program_->no_ptx = "line " + std::to_string(instruction.line) + ": " +
                     std::string(instruction.mnemonic) + " " + reason;
}

// Whether the instruction does no more than to put values that others have, or constants, into
// registers.
bool Decoder::only_copies(std::size_t instruction) {
  const Effects& effects = program_->effects[current().first_site + instruction];
  return effects.computation == Computation::copy && effects.only_computes() &&
         effects.memory == Effects::Memory::none;
}

// Who reads a copy of a register reads the register, as far as the author of the program knows.
void Decoder::follow_copies() {
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < function_->body.size(); ++i) {
      if (!only_copies(i)) continue;
      const Effects& effects = program_->effects[current().first_site + i];
      bool is_of_one = false;
      for_each_register_read(function_->body[i], effects, [&](std::string_view name) {
        const Register* const found = known_register(name);
        is_of_one |= found != nullptr && asynchronous_.contains(found->slot);
      });
      if (!is_of_one) continue;
      for_each_register_written(function_->body[i], effects, [&](std::string_view name) {
        const Register* const found = known_register(name);
        if (found != nullptr) has_grown |= asynchronous_.insert(found->slot).second;
      });
    }
  }
}

void Decoder::note_register_uses() {
  if (asynchronous_.empty()) return;
  follow_copies();
  const auto note = [&](std::string_view name, std::vector<Slot>& slots) {
    const Register* const found = known_register(name);
    if (found != nullptr && asynchronous_.contains(found->slot)) slots.push_back(found->slot);
  };
  for (std::size_t i = 0; i < function_->body.size(); ++i) {
    const Effects& effects = program_->effects[current().first_site + i];
    if (effects.goes_on) continue;
    RegisterUse use;
    for_each_register_read(function_->body[i], effects,
                           [&](std::string_view name) { note(name, use.read); });
    for_each_register_written(function_->body[i], effects,
                              [&](std::string_view name) { note(name, use.written); });
    if (use.read.empty() && use.written.empty()) continue;
    use.only_copies = only_copies(i);
    const std::size_t operation = current().entry + i;
    program_->register_uses.resize(operation + 1);
    program_->register_uses[operation] = program_->keep(std::move(use));
  }
}

// What is computed from a clock is never the same twice, though its thread does nothing new.
void Decoder::note_times() {
  const std::span<const Effects> effects = program_->effects_of(current());
  if (std::ranges::none_of(effects, &Effects::reads_clock)) return;
  std::unordered_set<std::string_view> times;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < effects.size(); ++i) {
      bool is_time = effects[i].reads_clock;
      for_each_register_read(function_->body[i], effects[i],
                             [&](std::string_view name) { is_time |= times.contains(name); });
      if (!is_time || effects[i].memory != Effects::Memory::none) continue;
      for_each_register_written(function_->body[i], effects[i], [&](std::string_view name) {
        has_grown |= times.insert(name).second;
      });
    }
  }
  for (const std::string_view name : times) {
    const Register* const found = known_register(name);
    if (found == nullptr) continue;
    const std::size_t bytes = std::size_t{found->bytes} * warp_size;
    current().times.push_back({found->slot, bytes == 0 ? sizeof(LaneMask) : bytes});
  }
  std::ranges::sort(current().times, {}, &RegisterBytes::slot);
}

// Labels to positions in the code, when the whole function is decoded.
void Decoder::find_targets() {
  const auto position = [&](std::string_view label) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(function_->labels, label, &ptx::Label::name);
    if (found == function_->labels.end()) return std::nullopt;
    return current().entry + found->position;
  };
  for (const auto& [operation, label] : targets_) {
    if (const auto target = position(label)) {
      found_targets_.emplace_back(operation, *target);
      continue;
    }
    Operation& op = program_->code[operation];
    op.execute = instructions_.refusal;
    const std::string reason = "branches to " + std::string(label) + ", which is no label here";
    op.detail = program_->keep(reason);
    note_no_ptx(*program_->sites[op.site], reason);
  }
  for (const auto& [table, name] : target_lists_) {
    const auto list = std::ranges::find(function_->branch_targets, name, &ptx::BranchTargets::name);
    std::vector<std::size_t> positions;
    for (const std::string_view label : list->labels) {
      if (const auto target = position(label)) positions.push_back(*target);
    }
    found_lists_.emplace_back(table, std::move(positions));
  }
}

// Positions to addresses, when the code moves no more.
void Decoder::resolve_targets() {
  for (const auto& [operation, target] : found_targets_) {
    program_->code[operation].detail = &program_->code[target];
  }
  for (const auto& [table, positions] : found_lists_) {
    for (const std::size_t target : positions) table->targets.push_back(&program_->code[target]);
  }
}

void Decoder::set_target(Operation&, std::string_view label) {
  effects().acts = true;
  effects().next = Effects::Next::label;
  targets_.emplace_back(current_operation_, label);
}

void Decoder::set_targets(Operation& op, std::string_view list) {
  const auto& lists = function_->branch_targets;
  if (std::ranges::find(lists, list, &ptx::BranchTargets::name) == lists.end()) {
    refuse("names " + std::string(list) + ", which is no list of branch targets");
  }
  effects().acts = true;
  effects().next = Effects::Next::labels;
  auto table = std::make_shared<BranchTable>();
  op.detail = table.get();
  program_->details.push_back(table);
  target_lists_.emplace_back(std::move(table), list);
}

const ptx::Function* Decoder::find_function(std::string_view name) const {
  const auto alias = std::ranges::find(module_.aliases, name, &ptx::Alias::name);
  if (alias != module_.aliases.end()) name = alias->target;
  const auto found = std::ranges::find(module_.functions, name, &ptx::Function::name);
  return found == module_.functions.end() ? nullptr : &*found;
}

}  // namespace tmaemu
