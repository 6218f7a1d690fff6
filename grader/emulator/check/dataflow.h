// What a function's text says about its registers: which of them an address of a shared variable
// goes into, and whose values nobody looks at. PTX of one function is read once, without regard to
// the order of its instructions.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/ptx/module.h"

namespace tmaemu::check {

class Dataflow {
 public:
  explicit Dataflow(const ptx::Function& function);

  // The variable that the address is computed from; empty where it may be several, or none.
  std::string_view variable_of(const ptx::Operand& address) const;
  // Whether anything that the program does depends on the register.
  bool is_used(std::string_view name) const { return used_.contains(name); }
  // Whether what the instruction computes gets into memory or to another lane whatever happens, as
  // far as that is seen: by instructions that `is_always` says are executed whenever this one is,
  // and none of which chooses between values.
  static bool always_matters(const ptx::Function& function, std::size_t instruction,
                             const std::function<bool(std::size_t)>& is_always);

 private:
  // What a register holds: no address, that of one variable, or who knows.
  struct Origin {
    enum class Kind : unsigned char { undefined, number, variable, unknown };
    Kind kind = Kind::undefined;
    std::string_view variable;
    bool operator==(const Origin&) const = default;
  };
  void find_used(const ptx::Function& function);
  void find_origins(const ptx::Function& function);
  Origin origin_of(const ptx::Operand& operand) const;
  Origin result_of(const ptx::Instruction& instruction) const;
  bool assign(std::string_view name, const Origin& origin);

  std::unordered_set<std::string_view> used_;
  std::unordered_map<std::string_view, Origin> origins_;
};

}  // namespace tmaemu::check
