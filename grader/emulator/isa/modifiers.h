// The modifiers of an instruction, taken one by one by the definition that understands them; what
// nobody takes is refused.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "emulator/isa/rounding.h"
#include "emulator/program/decoder.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

class Modifiers {
 public:
  explicit Modifiers(const ptx::Instruction& instruction);

  // Whether the modifier is there.
  bool take(std::string_view name);
  // .rn .rz .rm .rp .rna
  std::optional<Rounding> take_rounding();
  // .rni .rzi .rmi .rpi
  std::optional<Rounding> take_integer_rounding();
  // The last modifier.
  std::string_view take_last();
  // The last modifier, which names a type.
  ptx::Type take_type();
  // The next modifier that is still there, in the order written; empty where there is none.
  std::string_view take_next();
  // Refuses the instruction if a modifier is left.
  void finish() const;

 private:
  std::vector<std::string_view> rest_;
};

// Refuses an instruction that has another number of operands.
void expect_operands(const ptx::Instruction& instruction, std::size_t count);

// A source of a floating-point type: its immediates may be written in another precision.
Slot floating_source(Decoder& decoder, const ptx::Operand& operand, unsigned bytes);

}  // namespace tmaemu
