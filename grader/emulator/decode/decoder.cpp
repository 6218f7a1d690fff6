#include "emulator/decode/decoder.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "emulator/device/device.h"
#include "emulator/isa/definition.h"
#include "emulator/memory/address_space.h"
#include "emulator/sched/special_registers.h"

namespace tmaemu {
namespace {

// Thrown by refuse(), caught where the instruction is decoded.
struct Refusal {
  std::string reason;
};

constexpr std::size_t slot_alignment = 64;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Bytes of a lane's value in a register of the type.
unsigned lane_bytes(ptx::Type type) {
  if (type == ptx::Type::pred) return 0;
  // There is no arithmetic on 8 bits: such registers behave as 16 bits wide.
  return std::max(2u, static_cast<unsigned>(ptx::size_of(type)));
}

// The variable's own name: "_ZZ6kernelPiE4tile" is kernel(int*)::tile.
std::string source_name(const std::string& mangled) {
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &failed), &std::free);
  if (failed != 0 || text == nullptr) return mangled;
  const std::string name = text.get();
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::uint64_t truncated(std::uint64_t bits, unsigned bytes) {
  return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
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

Decoder::Decoder(const ptx::Module& module, const ptx::Function& function, SymbolLookup lookup)
    : module_(module), function_(&function), lookup_(std::move(lookup)) {}

void Decoder::refuse(const std::string& reason) {
  throw Refusal{reason};
}

std::unique_ptr<Program> Decoder::decode() {
  program_ = std::make_unique<Program>();
  program_->module = &module_;
  program_->function = function_;
  program_->shared_bytes = h200::reserved_shared_bytes_per_cta;
  callee(*function_);
  // Calls add functions while others are decoded.
  for (std::size_t i = 0; i < program_->functions.size(); ++i) decode_function(i);
  resolve_targets();
  place_dynamic_shared();
  program_->local_bytes = program_->functions.front().local_bytes;
  return std::move(program_);
}

void Decoder::decode_function(std::size_t index) {
  current_function_ = index;
  function_ = current().function;
  current().entry = program_->code.size();
  registers_.clear();
  local_offsets_.clear();
  parameter_offsets_.clear();
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
  end.execute = return_handler(*function_);
  end.site = static_cast<std::uint32_t>(program_->sites.empty() ? 0 : program_->sites.size() - 1);
  program_->code.push_back(end);
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
  }
}

CallValue Decoder::declared_value(const ptx::Variable& variable) {
  if (variable.space == ptx::StateSpace::reg) {
    return {true, find_register(variable.name).slot, variable.size()};
  }
  return {false, local_offset_of(variable), variable.size()};
}

CallValue Decoder::call_value(const ptx::Operand& operand, const ptx::Variable& parameter) {
  const ptx::Variable* variable = operand.kind == ptx::Operand::Kind::symbol
                                      ? find_variable(operand.name, function_->variables)
                                      : nullptr;
  if (variable == nullptr && operand.kind == ptx::Operand::Kind::symbol) {
    // A function may pass on its own parameter.
    variable = find_variable(operand.name, function_->parameters);
  }
  const std::size_t bytes = parameter.size();
  if (variable != nullptr && variable->space == ptx::StateSpace::param) {
    if (variable->size() != bytes) {
      refuse("passes " + std::to_string(variable->size()) + " bytes where " +
             std::to_string(bytes) + " are declared");
    }
    return {false, local_offset_of(*variable), bytes};
  }
  const unsigned lane = lane_bytes(parameter.type);
  if (lane == 0 || parameter.element_count != 1) refuse("passes a register for what is none");
  return {true, source(operand, lane), bytes};
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

void Decoder::add_pointed_functions() {
  const auto add = [&](std::string_view name) {
    const ptx::Function* function = find_function(name);
    if (function != nullptr && !function->is_entry && !function->is_extern) callee(*function);
  };
  for (const ptx::Variable& variable : module_.variables) {
    for (const ptx::Variable::Relocation& relocation : variable.relocations) add(relocation.symbol);
  }
  for (const ptx::Function& function : module_.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.parts.front() == "call") continue;
      for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind == ptx::Operand::Kind::symbol) add(operand.name);
      }
    }
  }
}

void Decoder::decode_instruction(const ptx::Instruction& instruction) {
  Operation op;
  op.site = static_cast<std::uint32_t>(program_->sites.size());
  program_->sites.push_back(&instruction);
  current_operation_ = program_->code.size();
  try {
    if (instruction.guard) {
      op.guard = predicate(*instruction.guard);
      op.guard_flip = instruction.guard->negated ? all_lanes : 0;
    }
    const Definition* definition = find_definition(instruction);
    if (definition == nullptr) refuse("is not modelled by the emulator");
    definition->decode(*this, instruction, op, *definition);
  } catch (const Refusal& refusal) {
    op.execute = refusal_handler();
    op.detail = program_->keep(std::string(instruction.mnemonic) + " " + refusal.reason);
  }
  program_->code.push_back(op);
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
    op.execute = refusal_handler();
    op.detail = program_->keep("branches to " + std::string(label) + ", which is no label here");
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

void Decoder::place_dynamic_shared() {
  program_->dynamic_shared_offset = round_up(program_->shared_bytes, dynamic_alignment_);
  for (const auto& [function, index] : dynamic_specials_) {
    program_->functions[function].specials[index].value +=
        static_cast<std::uint32_t>(program_->dynamic_shared_offset);
  }
  if (!dynamic_specials_.empty()) {
    program_->shared_variables.push_back(
        {dynamic_name_, static_cast<std::uint32_t>(program_->dynamic_shared_offset), 0});
  }
}

void Decoder::declare_registers() {
  for (const ptx::RegisterDeclaration& declaration : function_->registers) {
    const unsigned bytes = lane_bytes(declaration.type);
    const auto declare = [&](std::string name) {
      registers_[std::move(name)] = {new_slot(bytes), bytes};
    };
    if (declaration.count == 0) {
      declare(std::string(declaration.name));
      continue;
    }
    for (std::size_t i = 0; i < declaration.count; ++i) {
      declare(std::string(declaration.name) + std::to_string(i));
    }
  }
}

Slot Decoder::new_slot(unsigned bytes) {
  std::size_t& end = current().register_bytes;
  end = round_up(end, bytes == 0 ? sizeof(LaneMask) : slot_alignment);
  const auto slot = static_cast<Slot>(end);
  end += bytes == 0 ? sizeof(LaneMask) : std::size_t{bytes} * warp_size;
  return slot;
}

Slot Decoder::constant(std::uint64_t bits, unsigned bytes) {
  bits = truncated(bits, bytes == 0 ? 1 : bytes);
  for (const ConstantSlot& known : current().constants) {
    if (known.bytes == bytes && known.bits == bits) return known.slot;
  }
  const Slot slot = new_slot(bytes);
  current().constants.push_back({slot, static_cast<std::uint8_t>(bytes), bits});
  return slot;
}

Slot Decoder::carry() {
  // No register of a program can have this name.
  const auto [known, is_new] = registers_.try_emplace("CC.CF", Register{});
  if (is_new) known->second = {new_slot(0), 0};
  return known->second.slot;
}

Slot Decoder::sink(unsigned bytes) {
  return new_slot(bytes);
}

Slot Decoder::special(Special which, unsigned bytes, std::uint32_t value) {
  const bool wide = bytes == 8;
  for (const SpecialSlot& known : current().specials) {
    if (known.which == which && known.wide == wide && known.value == value &&
        which != Special::shared_symbol) {
      return known.slot;
    }
  }
  const Slot slot = new_slot(wide ? 8 : 4);
  current().specials.push_back({which, slot, wide, value});
  return slot;
}

const Decoder::Register& Decoder::find_register(std::string_view name) const {
  const auto found = registers_.find(std::string(name));
  if (found == registers_.end()) {
    refuse("names the register " + std::string(name) + ", which is not modelled");
  }
  return found->second;
}

bool Decoder::is_register(const ptx::Operand& operand) const {
  return operand.kind == ptx::Operand::Kind::reg && registers_.contains(std::string(operand.name));
}

unsigned Decoder::register_bytes(const ptx::Operand& operand) const {
  return find_register(operand.name).bytes;
}

Slot Decoder::destination(const ptx::Operand& operand, unsigned bytes) {
  if (operand.kind == ptx::Operand::Kind::sink) return sink(bytes);
  if (operand.kind != ptx::Operand::Kind::reg) refuse("has a destination that is no register");
  const Register& found = find_register(operand.name);
  if (found.bytes != bytes) refuse("has a destination of an unexpected size");
  return found.slot;
}

Slot Decoder::source(const ptx::Operand& operand, unsigned bytes) {
  switch (operand.kind) {
    case ptx::Operand::Kind::reg: {
      if (const auto which = special_from_name(operand.name)) return special(*which, bytes);
      // A constant the compiler may write as a register.
      if (operand.name == "WARP_SZ") return constant(warp_size, bytes);
      const Register& found = find_register(operand.name);
      if (found.bytes != bytes) refuse("has a source of an unexpected size");
      return found.slot;
    }
    case ptx::Operand::Kind::float64:
      if (bytes != 8) refuse("has a 64-bit floating-point literal where a narrower value goes");
      return constant(operand.bits, bytes);
    case ptx::Operand::Kind::integer:
    case ptx::Operand::Kind::float32:
      return constant(operand.bits, bytes);
    case ptx::Operand::Kind::symbol:
      return symbol(operand.name, operand.offset, bytes);
    default:
      refuse("has an operand of a kind that is not modelled here");
  }
}

Slot Decoder::predicate(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::integer) return constant(operand.bits != 0 ? 1 : 0, 0);
  if (operand.kind != ptx::Operand::Kind::reg) refuse("has a predicate that is no register");
  const Register& found = find_register(operand.name);
  if (found.bytes != 0) refuse("has a predicate operand that is no predicate");
  return found.slot;
}

const ptx::Variable* Decoder::find_variable(std::string_view name,
                                            const std::vector<ptx::Variable>& in) const {
  const auto found = std::ranges::find(in, name, &ptx::Variable::name);
  return found == in.end() ? nullptr : &*found;
}

Slot Decoder::symbol(std::string_view name, std::int64_t offset, unsigned bytes) {
  const ptx::Variable* variable = find_variable(name, function_->variables);
  if (variable == nullptr && !function_->is_entry) {
    variable = find_variable(name, function_->parameters);
    if (variable == nullptr) variable = find_variable(name, function_->results);
  }
  if (variable == nullptr) variable = find_variable(name, module_.variables);
  if (variable != nullptr && variable->space == ptx::StateSpace::shared) {
    if (variable->is_unsized_array || (variable->is_extern && variable->size() == 0)) {
      dynamic_alignment_ = std::max(dynamic_alignment_, variable->alignment);
      dynamic_name_ = source_name(variable->name);
      dynamic_specials_.emplace_back(current_function_, current().specials.size());
      return special(Special::shared_symbol, bytes, static_cast<std::uint32_t>(offset));
    }
    return special(Special::shared_symbol, bytes,
                   shared_offset_of(*variable) + static_cast<std::uint32_t>(offset));
  }
  if (variable != nullptr &&
      (variable->space == ptx::StateSpace::local || variable->space == ptx::StateSpace::param)) {
    return special(Special::local_symbol, bytes,
                   local_offset_of(*variable) + static_cast<std::uint32_t>(offset));
  }
  if (const auto parameter = parameter_offsets_.find(name); parameter != parameter_offsets_.end()) {
    return constant(parameter->second + static_cast<std::uint64_t>(offset), bytes);
  }
  // Functions under their own names: an alias has the address of its target.
  const ptx::Function* function = find_function(name);
  if (const auto address = lookup_(function != nullptr ? function->name : name)) {
    return constant(*address + static_cast<std::uint64_t>(offset), bytes);
  }
  refuse("names " + std::string(name) + ", which is not defined in this module");
}

std::uint32_t Decoder::shared_offset_of(const ptx::Variable& variable) {
  const auto [place, is_new] = shared_offsets_.try_emplace(&variable, 0);
  if (is_new) {
    const std::size_t offset =
        round_up(program_->shared_bytes, std::max<std::size_t>(variable.alignment, 1));
    place->second = static_cast<std::uint32_t>(offset);
    program_->shared_bytes = offset + variable.size();
    program_->shared_variables.push_back(
        {source_name(variable.name), place->second, static_cast<std::uint32_t>(variable.size())});
  }
  return place->second;
}

std::uint32_t Decoder::local_offset_of(const ptx::Variable& variable) {
  const auto [place, is_new] = local_offsets_.try_emplace(variable.name, 0);
  if (is_new) {
    DecodedFunction& owner = current();
    const std::size_t alignment = std::max<std::size_t>(variable.alignment, 8);
    const std::size_t offset = round_up(owner.local_bytes, alignment);
    place->second = static_cast<std::uint32_t>(offset);
    owner.local_bytes = round_up(offset + variable.size(), 16);
    owner.local_alignment = std::max(owner.local_alignment, alignment);
  }
  return place->second;
}

MemoryOperand Decoder::memory(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::address) refuse("has an operand that is no address");
  MemoryOperand memory;
  memory.offset = operand.offset;
  if (operand.base_is_register) {
    const Register& base = find_register(operand.name);
    if (base.bytes != 4 && base.bytes != 8) refuse("has an address register of an odd size");
    memory.slot = base.slot;
    memory.base_bytes = base.bytes;
    return memory;
  }
  if (operand.name.empty()) return memory;
  if (const auto parameter = parameter_offsets_.find(operand.name);
      parameter != parameter_offsets_.end()) {
    memory.base = MemoryOperand::Base::kernel_parameter;
    memory.offset += parameter->second;
    return memory;
  }
  memory.slot = symbol(operand.name, 0, 8);
  memory.base_bytes = 8;
  return memory;
}

void Decoder::set_target(Operation&, std::string_view label) {
  targets_.emplace_back(current_operation_, label);
}

void Decoder::set_targets(Operation& op, std::string_view list) {
  const auto& lists = function_->branch_targets;
  if (std::ranges::find(lists, list, &ptx::BranchTargets::name) == lists.end()) {
    refuse("names " + std::string(list) + ", which is no list of branch targets");
  }
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
