// PTX to Program: resolves registers to slots, symbols to addresses and labels to operations.
// What each instruction means is not known here: isa/ holds the definitions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/program/definition.h"
#include "emulator/program/instruction.h"
#include "emulator/program/program.h"
#include "emulator/program/shared_layout.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

// The device address of a module's variable or function; nullopt where there is none.
using SymbolLookup = std::function<std::optional<std::uint64_t>(std::string_view name)>;

// A piece of the address space.
struct AddressRange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// Where brx.idx goes, by its index.
struct BranchTable {
  std::vector<const Operation*> targets;
};

class Decoder {
 public:
  // `machine_code`: of the function, where that is known.
  Decoder(const ptx::Module& module, const ptx::Function& function, SymbolLookup lookup,
          const InstructionSet& instructions,
          const fatbin::KernelResources* machine_code = nullptr);

  // An instruction that cannot be decoded becomes an operation that stops the program with the
  // reason when it is executed, and not before: code that never runs does no harm.
  std::unique_ptr<Program> decode();

  // --- For instruction definitions. `bytes` is the size of a lane's value; 0 for predicates. ---

  // The slot that holds the operand's value: a register, a constant, or an address.
  Slot source(const ptx::Operand& operand, unsigned bytes);
  // A source that the instruction itself takes a part or the negative of.
  Slot part_source(const ptx::Operand& operand, unsigned bytes);
  // A source of a floating-point type: its immediates may be written in another precision.
  Slot floating_source(const ptx::Operand& operand, unsigned bytes);
  Slot destination(const ptx::Operand& operand, unsigned bytes);
  // A destination of which the instruction changes a part.
  Slot whole_destination(const ptx::Operand& operand, unsigned bytes);
  // Of d|p: d, and p where there is one.
  Slot first_destination(const ptx::Operand& operand, unsigned bytes);
  std::optional<Slot> second_destination(const ptx::Operand& operand, unsigned bytes);
  // A predicate source; `!p` gets a slot of its own only where it is constant, so `negated` says.
  Slot predicate(const ptx::Operand& operand);
  // Bytes of a register operand, as it was declared.
  unsigned register_bytes(const ptx::Operand& operand);
  bool is_register(const ptx::Operand& operand);
  // Where results go that nobody wants: `_`.
  Slot sink(unsigned bytes);
  Slot constant(std::uint64_t bits, unsigned bytes);
  // CC.CF: the carry flag of the extended-precision instructions, a predicate.
  Slot carry(bool reads, bool writes);
  MemoryOperand memory(const ptx::Operand& operand);
  // The same, of what the thread itself then accesses there: the state space and the order of
  // `access` are known, and its address is set. The effects follow.
  void memory(const ptx::Operand& operand, Effects::Memory does, MemoryAccess& access);
  // Of the kernel that is being decoded; 0 in a function.
  std::size_t parameter_bytes() const { return parameter_bytes_; }
  // That the instruction reads the operand: what asks for its place notes it, too.
  void note_read(const ptx::Operand& operand);
  // What the instruction does besides reading and writing the operands that its definition asks
  // for.
  Effects& effects() { return program_->effects.back(); }
  // Lets op.detail point to the operation at the label, when all are decoded.
  void set_target(Operation& op, std::string_view label);
  // As set_target, for all labels of a .branchtargets list: op.detail becomes a BranchTable.
  void set_targets(Operation& op, std::string_view list);
  const ptx::Function& function() const { return *function_; }
  // The function of the module, aliases resolved; null where there is none.
  const ptx::Function* find_function(std::string_view name) const;
  // The index in Program::functions of a function with a body, which is decoded with the kernel.
  std::size_t callee(const ptx::Function& function);
  const ptx::Module& module() const { return module_; }
  // Where the module's variables in constant memory lie.
  std::vector<AddressRange> constant_variables() const;
  // Where the parameter of a call is kept on the caller's side, and its result.
  CallValue call_parameter(const ptx::Operand& operand, const ptx::Variable& parameter);
  CallValue call_result(const ptx::Operand& operand, const ptx::Variable& result);
  Program& program() { return *program_; }
  // That the instruction goes on using the register while its thread does: observers hear of it
  // when other instructions of the function do.
  void note_asynchronous_use(Slot slot) { asynchronous_.insert(slot); }

 private:
  struct Register {
    Slot slot;
    unsigned bytes;
  };
  DecodedFunction& current() { return program_->functions[current_function_]; }
  // The place of an operand in the text of the instruction that is being decoded.
  std::optional<std::size_t> place_of(const ptx::Operand& operand) const;
  void note_written(const ptx::Operand& operand);
  Slot new_slot(unsigned bytes);
  Slot special(Special which, unsigned bytes, std::uint32_t value = 0);
  // Null where the function declares no register of the name.
  const Register* known_register(std::string_view name);
  const Register& find_register(std::string_view name);
  Slot destination_slot(const ptx::Operand& operand, unsigned bytes);
  // Where a value of a call is kept that has a place in memory; nullopt where it is a register's.
  std::optional<CallValue> call_memory(const ptx::Operand& operand, const ptx::Variable& declared);
  Slot symbol(std::string_view name, std::int64_t offset, unsigned bytes);
  const ptx::Variable* find_variable(std::string_view name,
                                     const std::vector<ptx::Variable>& in) const;
  std::uint32_t shared_offset_of(const ptx::Variable& variable) const;
  std::uint32_t local_offset_of(const ptx::Variable& variable);
  void decode_function(std::size_t index);
  void declare_registers();
  void declare_parameters();
  CallValue declared_value(const ptx::Variable& variable);
  void decode_instruction(const ptx::Instruction& instruction);
  // That ptxas refuses the instruction: of the program, if it is the first.
  void note_no_ptx(const ptx::Instruction& instruction, const std::string& reason);
  bool only_copies(std::size_t instruction);
  void follow_copies();
  void note_register_uses();
  void note_times();
  void find_targets();
  void resolve_targets();
  void name_shared_variables();

  const ptx::Module& module_;
  const ptx::Function* function_;  // the one that is being decoded
  SymbolLookup lookup_;
  const InstructionSet& instructions_;
  std::unique_ptr<Program> program_;
  std::size_t current_function_ = 0;
  // Of the function that is being decoded.
  std::unordered_map<std::string_view, Register> registers_;
  std::unordered_map<std::string_view, const ptx::RegisterDeclaration*> register_ranges_;
  std::unordered_map<std::string_view, std::uint32_t> local_offsets_;
  std::unordered_map<std::string_view, std::uint32_t> parameter_offsets_;
  std::size_t parameter_bytes_ = 0;
  // Used by instructions that go on, and copies of those.
  std::unordered_set<Slot> asynchronous_;
  std::vector<std::pair<std::size_t, std::string_view>> targets_;  // operation, label
  std::vector<std::pair<std::shared_ptr<BranchTable>, std::string_view>> target_lists_;
  // Of the whole program.
  SharedLayout shared_layout_;
  std::vector<std::pair<std::size_t, std::size_t>> found_targets_;  // operation, its target
  std::vector<std::pair<std::shared_ptr<BranchTable>, std::vector<std::size_t>>> found_lists_;
  std::size_t current_operation_ = 0;
  const ptx::Instruction* current_instruction_ = nullptr;
};

// Bytes of a lane's value in a register of the type; 0 for a predicate.
unsigned lane_bytes(ptx::Type type);

// Offsets of the parameters of a kernel in its parameter block, in order.
std::vector<std::size_t> parameter_offsets(const std::vector<ptx::Variable>& parameters);

}  // namespace tmaemu
