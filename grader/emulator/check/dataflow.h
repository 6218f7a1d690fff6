// What a function's text says about its registers: which of them an address of a shared variable
// goes into, and whose values nobody looks at. PTX of one function is read once, without regard to
// the order of its instructions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/program/effects.h"
#include "emulator/ptx/module.h"

namespace tmaemu::check {

class Dataflow {
 public:
  // What a register holds: no address, that of one variable, or who knows.
  struct Origin {
    enum class Kind : unsigned char { undefined, number, variable, unknown };
    Kind kind = Kind::undefined;
    std::string_view variable;
    bool operator==(const Origin&) const = default;
  };

  // `effects`: of the body's instructions. Both must outlive this.
  Dataflow(const ptx::Function& function, std::span<const Effects> effects);

  // The variable that the address is computed from; empty where it may be several, or none.
  std::string_view variable_of(const ptx::Operand& address) const;
  // Whether anything that the program does depends on the register.
  bool is_used(std::string_view name) const { return used_.contains(name); }
  // Whether the operand has a register that nothing gives a value: no instruction writes it, or
  // only copies of such registers and asynchronous products, which add to what was there.
  bool has_unset(const ptx::Operand& operand) const;
  // Where what the instruction, by its place in the body, computes gets to whatever happens, as far
  // as that is seen: by instructions that `is_always` says are executed whenever this one is, and
  // none of which chooses between values.
  enum class Reach : unsigned char { nowhere, another_lane, memory };
  Reach always_reaches(std::size_t instruction,
                       const std::function<bool(std::size_t)>& is_always) const;

 private:
  void find_used();
  void find_set();
  void find_origins();
  Origin origin_of(const ptx::Operand& operand) const;
  Origin result_of(const ptx::Instruction& instruction, const Effects& effects) const;
  bool assign(std::string_view name, const Origin& origin);

  const ptx::Function& function_;
  std::span<const Effects> effects_;
  std::unordered_set<std::string_view> used_;
  std::unordered_set<std::string_view> set_;  // has a value; empty where there are no products
  std::unordered_map<std::string_view, Origin> origins_;
};

}  // namespace tmaemu::check
