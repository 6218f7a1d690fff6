#include "emulator/program/shared_layout.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/round_up.h"

namespace tmaemu {
namespace {

using common::round_up;

// NVIDIA documents none of this. It was found by compiling thousands of generated kernels with
// ptxas 12.8 to 13.5, and `make conformance` compares it with an H200's answers to 2,733 of them.
//
//  1. A kernel has its own variables and those of every function that it may call, also by code
//  that
//     can never run.
//  2. Variables that this text names come first: those that other modules could see, then the rest.
//     Of each kind, the module's come before those of functions. Functions follow one another as
//     the module first mentions them, variables as they are declared.
//  3. Then come the arrays of dynamic shared memory, which have no size. Every one that the module
//     declares is aligned in turn, whether this kernel names it or not.
//  4. Variables of functions that nothing names lie behind the named ones, too, as if there were no
//     dynamic memory: the kernel's own, then those of functions by the functions' names. No program
//     can tell where they are, but the size of static memory includes them.
constexpr std::size_t least_dynamic_alignment = 16;

template <class Visit>
void for_each_name(const std::vector<ptx::Operand>& operands, const Visit& visit) {
  for (const ptx::Operand& operand : operands) {
    const bool is_address =
        operand.kind == ptx::Operand::Kind::address && !operand.base_is_register;
    if (operand.kind == ptx::Operand::Kind::symbol || is_address) visit(operand.name);
    for_each_name(operand.elements, visit);
  }
}

// A kernel that calls a pointer or holds the address of a function may call every function whose
// address is held anywhere in the module. A variable that is initialized with such an address
// counts only for the first function that names it, and ptxas has an order of its own.
enum class Tables : std::uint8_t { count, do_not_count };

// What the text of a kernel names, and that of all functions that it may call.
class NamedText {
 public:
  NamedText(const ptx::Module& module, const ptx::Function& kernel, Tables tables)
      : module_(module), tables_(tables) {
    for (const ptx::Function& function : module.functions) functions_[function.name] = &function;
    for (const ptx::Alias& alias : module.aliases) {
      const auto target = functions_.find(alias.target);
      if (target != functions_.end()) functions_[alias.name] = target->second;
    }
    for (const ptx::Variable& variable : module.variables) variables_[variable.name] = &variable;
    reach(kernel);
    while (!waiting_.empty()) {
      const ptx::Function& function = *waiting_.back();
      waiting_.pop_back();
      read(function);
    }
  }

  bool reaches(const ptx::Function& function) const { return reached_.contains(&function); }
  bool names(const ptx::Variable& variable) const { return named_.contains(&variable); }

 private:
  void reach(const ptx::Function& function) {
    if (reached_.insert(&function).second) waiting_.push_back(&function);
  }

  void read(const ptx::Function& function) {
    std::unordered_map<std::string_view, const ptx::Variable*> own;
    for (const ptx::Variable& variable : function.variables) own[variable.name] = &variable;
    for (const ptx::Instruction& instruction : function.body) {
      const bool is_call = instruction.is_call();
      if (is_call && !names_function(instruction)) reach_pointed_functions();
      for_each_name(instruction.operands, [&](std::string_view name) {
        if (const auto found = own.find(name); found != own.end()) {
          named_.insert(found->second);
        } else if (const auto callee = functions_.find(name); callee != functions_.end()) {
          is_call ? reach(*callee->second) : reach_pointed_functions();
        } else if (const auto variable = variables_.find(name); variable != variables_.end()) {
          named_.insert(variable->second);
          if (tables_ == Tables::count && holds_function(*variable->second)) {
            reach_pointed_functions();
          }
        }
      });
    }
  }

  bool names_function(const ptx::Instruction& call) const {
    return std::ranges::any_of(call.operands, [&](const ptx::Operand& operand) {
      return operand.kind == ptx::Operand::Kind::symbol && functions_.contains(operand.name);
    });
  }

  bool holds_function(const ptx::Variable& variable) const {
    return std::ranges::any_of(variable.relocations, [&](const auto& relocation) {
      return functions_.contains(relocation.symbol);
    });
  }

  // All functions of the module whose address the module holds.
  void reach_pointed_functions() {
    if (has_pointed_functions_) return;
    has_pointed_functions_ = true;
    const auto reach_named = [&](std::string_view name) {
      const auto function = functions_.find(name);
      if (function != functions_.end() && !function->second->is_entry) reach(*function->second);
    };
    for (const ptx::Variable& variable : module_.variables) {
      for (const auto& relocation : variable.relocations) reach_named(relocation.symbol);
    }
    for (const ptx::Function& function : module_.functions) {
      for (const ptx::Instruction& instruction : function.body) {
        if (!instruction.is_call()) for_each_name(instruction.operands, reach_named);
      }
    }
  }

  const ptx::Module& module_;
  Tables tables_;
  std::unordered_map<std::string_view, const ptx::Function*> functions_;
  std::unordered_map<std::string_view, const ptx::Variable*> variables_;
  std::unordered_set<const ptx::Function*> reached_;
  std::vector<const ptx::Function*> waiting_;
  std::unordered_set<const ptx::Variable*> named_;
  bool has_pointed_functions_ = false;
};

bool is_shared(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::shared;
}

bool others_see(const ptx::Variable& variable) {
  return variable.is_visible || variable.is_weak_or_common || variable.is_extern;
}
bool others_see(const ptx::Function& function) {
  return function.is_visible || function.is_weak;
}

// Puts one variable behind the other. Alignment counts from `first`, not from 0: a variable that is
// aligned to 2,048 bytes can lie at 1,024.
class Placement {
 public:
  Placement(const ptx::Module& module, const ptx::Function& kernel, const NamedText& text,
            std::size_t first)
      : module_(module), text_(text), first_(first) {
    place_named(true);
    place_named(false);
    place_dynamic();
    place_unnamed(kernel);
    for (const ptx::Variable& array : module.variables) {
      if (is_dynamic_shared(array)) end_ = round_up(end_, dynamic_alignment(array));
    }
  }

  SharedLayout layout() && {
    SharedLayout layout;
    layout.end = first_ + end_;
    for (const auto& [variable, offset] : offsets_) {
      if (text_.names(*variable)) layout.addresses[variable] = first_ + offset;
    }
    return layout;
  }

 private:
  static std::size_t dynamic_alignment(const ptx::Variable& array) {
    return std::max(array.alignment, least_dynamic_alignment);
  }

  void place(const ptx::Variable& variable) {
    const std::size_t offset = round_up(end_, std::max<std::size_t>(variable.alignment, 1));
    offsets_[&variable] = offset;
    end_ = offset + variable.size();
  }

  void place_named(bool seen_by_others) {
    for (const ptx::Variable& variable : module_.variables) {
      if (!is_shared(variable) || is_dynamic_shared(variable)) continue;
      if (text_.names(variable) && others_see(variable) == seen_by_others) place(variable);
    }
    for (const ptx::Function& function : module_.functions) {
      if (!text_.reaches(function) || others_see(function) != seen_by_others) continue;
      for (const ptx::Variable& variable : function.variables) {
        if (is_shared(variable) && text_.names(variable)) place(variable);
      }
    }
  }

  void place_dynamic() {
    std::size_t offset = end_;
    for (const ptx::Variable& array : module_.variables) {
      if (!is_dynamic_shared(array)) continue;
      offset = round_up(offset, dynamic_alignment(array));
      offsets_[&array] = offset;
    }
  }

  void place_unnamed(const ptx::Function& kernel) {
    std::vector<const ptx::Function*> functions;
    for (const ptx::Function& function : module_.functions) {
      if (&function != &kernel && text_.reaches(function)) functions.push_back(&function);
    }
    std::ranges::sort(functions, {}, &ptx::Function::name);
    functions.insert(functions.begin(), &kernel);
    for (const ptx::Function* function : functions) {
      for (const ptx::Variable& variable : function->variables) {
        if (is_shared(variable) && !text_.names(variable)) place(variable);
      }
    }
  }

  const ptx::Module& module_;
  const NamedText& text_;
  std::size_t first_;
  std::size_t end_ = 0;
  std::unordered_map<const ptx::Variable*, std::size_t> offsets_;
};

SharedLayout by_rule(const ptx::Module& module, const ptx::Function& kernel, std::size_t first,
                     Tables tables) {
  const NamedText text(module, kernel, tables);
  return Placement(module, kernel, text, first).layout();
}

// Code for a debugger (-G) lies elsewhere, and its symbols tell where.
bool take_symbols(SharedLayout& layout, const fatbin::KernelResources& machine_code) {
  const auto& symbols = machine_code.shared_variables;
  const bool are_all_known = std::ranges::all_of(
      layout.addresses, [&](const auto& entry) { return symbols.contains(entry.first->name); });
  if (symbols.empty() || !are_all_known) return false;
  for (auto& [variable, address] : layout.addresses) address = symbols.at(variable->name);
  return true;
}

}  // namespace

bool is_dynamic_shared(const ptx::Variable& variable) {
  return is_shared(variable) &&
         (variable.is_unsized_array || (variable.is_extern && variable.size() == 0));
}

SharedLayout lay_out_shared(const ptx::Module& module, const ptx::Function& kernel,
                            std::size_t first, const fatbin::KernelResources* machine_code) {
  SharedLayout layout = by_rule(module, kernel, first, Tables::count);
  if (machine_code == nullptr) return layout;
  const std::size_t end = std::max(first, machine_code->shared_bytes);
  if (take_symbols(layout, *machine_code)) {
    layout.end = end;
  } else if (layout.end != end) {
    SharedLayout other = by_rule(module, kernel, first, Tables::do_not_count);
    if (other.end == end) return other;
    // The machine code was made from another text.
    layout.end = std::max(layout.end, end);
  }
  return layout;
}

}  // namespace tmaemu
