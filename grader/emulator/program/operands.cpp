// Operands of the decoder: registers, constants, symbols and addresses become slots.
#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "common/demangled.h"
#include "common/round_up.h"
#include "emulator/memory/address_space.h"
#include "emulator/program/decoder.h"
#include "emulator/ptx/numbered_name.h"

namespace tmaemu {
namespace {

using common::round_up;

constexpr std::size_t slot_alignment = 64;

// The variable's own name: "_ZZ6kernelPiE4tile" is kernel(int*)::tile.
std::string source_name(const std::string& mangled) {
  const std::string name = common::demangled(mangled);
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::uint64_t truncated(std::uint64_t bits, unsigned bytes) {
  return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

}  // namespace

unsigned lane_bytes(ptx::Type type) {
  if (type == ptx::Type::pred) return 0;
  // There is no arithmetic on 8 bits: such registers behave as 16 bits wide.
  return std::max(2u, static_cast<unsigned>(ptx::size_of(type)));
}

// The registers of a range get their slots when they are first named: a range may be a million
// long.
void Decoder::declare_registers() {
  for (const ptx::RegisterDeclaration& declaration : function_->registers) {
    if (declaration.count != 0) {
      register_ranges_[declaration.name] = &declaration;
      continue;
    }
    const unsigned bytes = lane_bytes(declaration.type);
    registers_[declaration.name] = {new_slot(bytes), bytes};
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
  if (bytes > sizeof bits) refuse("has a literal for a 128-bit operand");
  bits = truncated(bits, bytes == 0 ? 1 : bytes);
  for (const ConstantSlot& known : current().constants) {
    if (known.bytes == bytes && known.bits == bits) return known.slot;
  }
  const Slot slot = new_slot(bytes);
  current().constants.push_back({slot, static_cast<std::uint8_t>(bytes), bits});
  return slot;
}

Slot Decoder::carry(bool reads, bool writes) {
  effects().reads_carry = reads;
  effects().writes_carry = writes;
  const auto [known, is_new] = registers_.try_emplace(carry_register, Register{});
  if (is_new) known->second = {new_slot(0), 0};
  return known->second.slot;
}

Slot Decoder::sink(unsigned bytes) {
  return new_slot(bytes);
}

Slot Decoder::special(Special which, unsigned bytes, std::uint32_t value) {
  if (bytes != 0 && bytes != 4 && bytes != 8) {
    refuse("takes a special register or an address in another size");
  }
  const bool wide = bytes == 8;
  const bool is_predicate = bytes == 0;
  if (is_predicate && which != Special::is_explicit_cluster) {
    refuse("takes a special register that is no predicate for one");
  }
  if (which == Special::reserved_smem_offset_1) program_->uses_group_scratch = true;
  for (const SpecialSlot& known : current().specials) {
    if (known.which == which && known.wide == wide && known.is_predicate == is_predicate &&
        known.value == value && which != Special::shared_symbol) {
      return known.slot;
    }
  }
  const Slot slot = new_slot(is_predicate ? 0 : wide ? 8 : 4);
  current().specials.push_back({which, slot, wide, is_predicate, value});
  return slot;
}

const Decoder::Register* Decoder::known_register(std::string_view name) {
  if (const auto found = registers_.find(name); found != registers_.end()) return &found->second;
  const auto numbered = ptx::split_number(name);
  if (!numbered) return nullptr;
  const auto range = register_ranges_.find(numbered->stem);
  if (range == register_ranges_.end() || numbered->index >= range->second->count) return nullptr;
  const unsigned bytes = lane_bytes(range->second->type);
  return &registers_.emplace(name, Register{new_slot(bytes), bytes}).first->second;
}

// Whether a name that no register has may be one of the hardware's: %clock, %pm3, but not %r3.
static bool may_be_special(std::string_view name) {
  if (!name.starts_with('%')) return false;
  if (!ptx::split_number(name)) return true;
  return name.starts_with("%pm") || name.starts_with("%envreg") ||
         name.starts_with("%reserved_smem_offset_");
}

const Decoder::Register& Decoder::find_register(std::string_view name) {
  const Register* found = known_register(name);
  if (found == nullptr) {
    const std::string what = "names the register " + std::string(name);
    if (may_be_special(name)) refuse(what + ", which is not modeled");
    refuse_as_ptxas(what + ", which is declared nowhere");
  }
  return *found;
}

namespace {

bool is_part_of(const ptx::Operand& part, const ptx::Operand& whole) {
  return &part == &whole || std::ranges::any_of(whole.elements, [&](const ptx::Operand& element) {
    return is_part_of(part, element);
  });
}

}  // namespace

std::optional<std::size_t> Decoder::place_of(const ptx::Operand& operand) const {
  const auto& operands = current_instruction_->operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_part_of(operand, operands[i])) return i;
  }
  return std::nullopt;
}

void Decoder::note_read(const ptx::Operand& operand) {
  if (const auto place = place_of(operand)) effects().reads.add(*place);
}

void Decoder::note_written(const ptx::Operand& operand) {
  if (const auto place = place_of(operand)) effects().writes.add(*place);
}

bool Decoder::is_register(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::reg && known_register(operand.name) != nullptr;
}

unsigned Decoder::register_bytes(const ptx::Operand& operand) {
  return find_register(operand.name).bytes;
}

Slot Decoder::destination(const ptx::Operand& operand, unsigned bytes) {
  if (!operand.part.empty()) refuse("has a part of a register for a destination");
  return whole_destination(operand, bytes);
}

Slot Decoder::whole_destination(const ptx::Operand& operand, unsigned bytes) {
  if (!operand.second_name.empty()) refuse("has a second destination, which is not modeled here");
  return first_destination(operand, bytes);
}

std::optional<Slot> Decoder::second_destination(const ptx::Operand& operand, unsigned bytes) {
  if (operand.second_name.empty()) return std::nullopt;
  if (operand.second_name == "_") return sink(bytes);
  ptx::Operand second;
  second.kind = ptx::Operand::Kind::reg;
  second.name = operand.second_name;
  return destination_slot(second, bytes);
}

Slot Decoder::first_destination(const ptx::Operand& operand, unsigned bytes) {
  note_written(operand);
  return destination_slot(operand, bytes);
}

Slot Decoder::destination_slot(const ptx::Operand& operand, unsigned bytes) {
  if (operand.kind == ptx::Operand::Kind::sink) return sink(bytes);
  if (operand.kind != ptx::Operand::Kind::reg) refuse("has a destination that is no register");
  const Register& found = find_register(operand.name);
  if (found.bytes != bytes) refuse_as_ptxas("has a destination of an unexpected size");
  return found.slot;
}

Slot Decoder::source(const ptx::Operand& operand, unsigned bytes) {
  if (operand.negated) refuse("has a negated operand, which is not modeled here");
  if (!operand.part.empty()) refuse("has a part of a register for an operand");
  return part_source(operand, bytes);
}

Slot Decoder::part_source(const ptx::Operand& operand, unsigned bytes) {
  note_read(operand);
  if (!operand.second_name.empty()) refuse("has two sources in one operand");
  switch (operand.kind) {
    case ptx::Operand::Kind::reg: {
      if (const auto which = special_from_name(operand.name)) return special(*which, bytes);
      // A constant the compiler may write as a register.
      if (operand.name == "WARP_SZ") return constant(warp_size, bytes);
      const Register& found = find_register(operand.name);
      if (found.bytes != bytes) refuse_as_ptxas("has a source of an unexpected size");
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
      refuse("has an operand of a kind that is not modeled here");
  }
}

Slot Decoder::floating_source(const ptx::Operand& operand, unsigned bytes) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::float64 && bytes == 4) {
    const auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
    return constant(std::bit_cast<std::uint32_t>(value), bytes);
  }
  if (operand.kind == Kind::float32 && bytes == 8) {
    const double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
    return constant(std::bit_cast<std::uint64_t>(value), bytes);
  }
  const bool is_literal = operand.kind == Kind::float32 || operand.kind == Kind::float64;
  if (is_literal && bytes < 4) refuse("has a floating-point literal for a 16-bit operand");
  return source(operand, bytes);
}

Slot Decoder::predicate(const ptx::Operand& operand) {
  note_read(operand);
  if (!operand.second_name.empty()) refuse("has two sources in one operand");
  if (operand.kind == ptx::Operand::Kind::integer) return constant(operand.bits != 0 ? 1 : 0, 0);
  if (operand.kind != ptx::Operand::Kind::reg) refuse("has a predicate that is no register");
  if (const auto which = special_from_name(operand.name)) return special(*which, 0);
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
  const bool is_declared = variable != nullptr || function != nullptr;
  refuse_as_ptxas("names " + std::string(name) + ", which is not defined in this module" +
                  (is_declared
                       ? ": device code that needs linking cannot run here; compile the kernel and "
                         "the variables that it names as one file, without -rdc=true"
                       : ""));
}

std::vector<AddressRange> Decoder::constant_variables() const {
  std::vector<AddressRange> ranges;
  for (const ptx::Variable& variable : module_.variables) {
    if (variable.space != ptx::StateSpace::constant) continue;
    if (const auto address = lookup_(variable.name)) ranges.push_back({*address, variable.size()});
  }
  return ranges;
}

std::uint32_t Decoder::shared_offset_of(const ptx::Variable& variable) const {
  const auto placed = shared_layout_.addresses.find(&variable);
  // The caller names this function as a target, and nothing holds the function's address.
  if (placed == shared_layout_.addresses.end()) {
    refuse("names " + variable.name + ", a variable of a function that this kernel cannot call");
  }
  const std::size_t address = placed->second;
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (address > most || variable.size() > most - address) {
    refuse("needs more than 4 GiB of shared memory");
  }
  return static_cast<std::uint32_t>(address);
}

// For diagnostics, in the order of their addresses: an array of dynamic shared memory has no end.
void Decoder::name_shared_variables() {
  for (const auto& [variable, address] : shared_layout_.addresses) {
    program_->shared_variables.push_back(
        {source_name(variable->name), static_cast<std::uint32_t>(address),
         static_cast<std::uint32_t>(variable->size()), variable->name});
  }
  std::ranges::sort(program_->shared_variables, {}, [](const SharedVariable& variable) {
    return std::tuple(variable.bytes == 0, variable.offset, variable.name);
  });
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
  note_read(operand);
  effects().acts = true;
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

namespace {

Effects::Space space_of(const MemoryAccess& access) {
  using Space = Effects::Space;
  if (access.address.base == MemoryOperand::Base::kernel_parameter) return Space::parameter;
  switch (access.space) {
    case AddressSpace::generic:
      return Space::generic;
    case AddressSpace::global:
      return Space::global;
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return Space::shared;
    case AddressSpace::local:
      return Space::local;
    case AddressSpace::parameter:
      break;
  }
  return Space::call;
}

}  // namespace

void Decoder::memory(const ptx::Operand& operand, Effects::Memory does, MemoryAccess& access) {
  access.address = memory(operand);
  effects().memory = does;
  effects().space = space_of(access);
  effects().is_strong = access.synchronizes();
  effects().address = static_cast<std::uint8_t>(place_of(operand).value());
}

}  // namespace tmaemu
