// An instruction while it is decoded. Its modifiers are taken one by one by the function that
// understands them; the decoder refuses the instruction by the name of one that nobody took. So an
// unknown modifier, one too many and one written twice never go unnoticed.
//
// As for ptxas, the order of modifiers means nothing, but for that of several types or several
// state spaces.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/module.h"

namespace tmaemu {

// Thrown by refuse(), caught where the instruction is decoded.
struct Refusal {
  std::string reason;
  bool is_ptx = true;  // false: ptxas refuses it, too
};

// Gives up on the instruction: `reason` is a clause that follows its mnemonic.
[[noreturn]] void refuse(const std::string& reason);
// As refuse(), of what is no PTX at all: no other implementation could execute it.
[[noreturn]] void refuse_as_ptxas(const std::string& reason);

// A modifier, and what it stands for.
template <class T>
struct Choice {
  std::string_view name;
  T value;
};

class Instruction {
 public:
  using Names = std::initializer_list<std::string_view>;

  // `row`: the name in the instruction tables that the mnemonic begins with. The modifiers in it
  // are the row's own; the others are there to be taken.
  Instruction(const ptx::Instruction& text, std::string_view row);

  // "cp.reduce.async.bulk", and its first word.
  std::string_view row() const { return row_; }
  std::string_view opcode() const { return text_->parts.front(); }
  // Begins again, as another row.
  void match(std::string_view row);

  // --- Operands ---
  const ptx::Operand& operand(std::size_t i) const { return operands_[i]; }
  std::size_t operand_count() const { return operands_.size(); }
  // The last one, which the others are counted without from here on.
  const ptx::Operand& take_last_operand();
  // Refuses the instruction where it has another number of operands. To be asked when the modifiers
  // are taken.
  void expect_operands(std::size_t count) const { expect_operands(count, count); }
  void expect_operands(std::size_t least, std::size_t most) const;

  // --- Modifiers ---
  // Whether the modifier is there.
  bool take(std::string_view modifier);
  // Refuses the instruction where the modifier is not there.
  void require(std::string_view modifier);
  // The first modifier that is one of `names`; empty where none is.
  std::string_view take_one_of(Names names);
  template <class T, std::size_t size>
  std::optional<T> take_one_of(const Choice<T> (&choices)[size]);
  // Refuses the instruction where none of them is there: `what` they are.
  std::string_view require_one_of(Names names, std::string_view what);
  template <class T, std::size_t size>
  T require_one_of(const Choice<T> (&choices)[size], std::string_view what);
  // The last modifier that names a type; refuses the instruction where none does.
  ptx::Type take_type();
  // The last modifier, and the first, of those that nobody took; empty where none is left.
  std::string_view take_last();
  std::string_view take_first();

  // Those that nobody took, as written.
  std::span<const std::string_view> untaken() const { return rest_; }
  // Refuses the instruction by the name of a modifier that is left, if one is. `why` follows it.
  void refuse_rest(std::string_view why) const;
  void refuse_rest() const;

 private:
  bool was_taken(std::string_view modifier) const;

  const ptx::Instruction* text_;
  std::string_view row_;
  std::span<const ptx::Operand> operands_;
  std::vector<std::string_view> rest_;
};

[[noreturn]] void refuse_without(std::string_view what);

template <class T, std::size_t size>
std::optional<T> Instruction::take_one_of(const Choice<T> (&choices)[size]) {
  for (const auto& [name, value] : choices) {
    if (take(name)) return value;
  }
  return std::nullopt;
}

template <class T, std::size_t size>
T Instruction::require_one_of(const Choice<T> (&choices)[size], std::string_view what) {
  if (const auto value = take_one_of(choices)) return *value;
  refuse_without(what);
}

}  // namespace tmaemu
