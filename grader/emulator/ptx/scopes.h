// The names inside one function. PTX lets every { } declare registers, variables and labels of its
// own (PTX ISA, "Abstracting the ABI" shows the calls that do); ptx::Function is flat. Scopes
// hoists them all into the function and renames what would meet a name used before.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

class Scopes {
 public:
  // Both must outlive this.
  Scopes(Module& module, Function& function) : module_(module), function_(function) {}

  void open() { scopes_.emplace_back(); }
  // Closes the innermost scope: what was referred to in it and is a label of it becomes that label.
  void close();
  std::size_t depth() const { return scopes_.size(); }

  // Each declares a name in the innermost scope and returns the name it has in the function.
  // Declaring a name twice in one scope is a SyntaxError. `count` is 0 for a single register.
  std::string_view declare_register(const Token& name, std::uint64_t count);
  std::string_view declare_variable(const Token& name);
  // Labels, and what is named like one: .branchtargets, .calltargets and .callprototype.
  std::string_view declare_label(const Token& name);

  struct Resolved {
    bool is_register = false;
    std::string_view name;  // as the function has it
  };
  // What a name means here. A name that is declared nowhere is a special register where it starts
  // with %, and else a symbol: a label, or something of the module's.
  Resolved resolve(std::string_view name);

  // A copy of the text that lives as long as the module.
  std::string_view intern(std::string text);

  // Remembers that a symbol is used, since a label may be declared after its use.
  void refer_from_operand(std::string_view name, std::size_t instruction, std::size_t operand) {
    scopes_.back().references.push_back({name, instruction, operand, false});
  }
  void refer_from_branch_targets(std::string_view name, std::size_t list, std::size_t index) {
    scopes_.back().references.push_back({name, list, index, true});
  }

 private:
  struct Entity {
    bool is_register = false;
    std::string_view name;
  };
  struct RegisterRange {
    std::string_view stem;
    std::uint64_t count = 0;
  };
  struct Reference {
    std::string_view name;
    std::size_t index;     // into Function::body or Function::branch_targets
    std::size_t position;  // into Instruction::operands or BranchTargets::labels
    bool is_branch_target;
  };
  struct Scope {
    std::unordered_map<std::string_view, Entity> names;
    std::unordered_map<std::string_view, RegisterRange> ranges;
    std::unordered_map<std::string_view, std::string_view> labels;
    std::vector<Reference> references;
  };

  std::string_view declare_name(const Token& name, bool is_register);
  std::optional<Resolved> find_in(const Scope& scope, std::string_view base);
  bool meets_other_registers(std::string_view name) const;
  std::string_view& target_of(const Reference& reference);
  std::string_view renamed(std::string_view name, bool is_range);

  Module& module_;
  Function& function_;
  std::vector<Scope> scopes_;
  // Every name of the function so far.
  std::unordered_set<std::string_view> used_names_;
  std::unordered_set<std::string_view> used_labels_;
  std::unordered_map<std::string_view, std::uint64_t> used_ranges_;   // stem -> largest count
  std::unordered_map<std::string_view, std::uint64_t> used_indices_;  // stem -> smallest index
  std::unordered_set<std::string_view> interned_;
  std::uint64_t renames_ = 0;
  // While this is false a name that starts with % needs no look-up: it means itself.
  bool has_renamed_percent_name_ = false;
};

}  // namespace tmaemu::ptx
