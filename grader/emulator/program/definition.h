// What an instruction is: its names and how it is decoded and executed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "emulator/program/instruction.h"
#include "emulator/program/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

class Decoder;

struct Definition {
  // Fills an operation from an instruction, whose modifiers it takes; calls refuse() where it
  // cannot. What it leaves of the modifiers, the decoder refuses.
  using Decode = void (*)(Decoder&, Instruction&, Operation&, const Definition&);

  // Whole mnemonics ("add.u32 add.s32"), or their beginnings up to a dot where `decode` takes the
  // remaining modifiers itself ("ld", "cp.async.bulk").
  std::string_view names;
  Decode decode = nullptr;
  Handler handler = nullptr;  // of whole mnemonics
  // Bytes of a lane's value of each operand, destination first; 0 for a predicate.
  std::array<std::uint8_t, 5> bytes{};
  std::uint8_t operand_count = 0;
  Computation computation = Computation::any;
};

// A definition, and that of its names which a mnemonic matched.
struct InstructionRow {
  const Definition* definition;
  std::string_view name;
};

// The instructions that a decoder is handed.
struct InstructionSet {
  // The row of an instruction; refuses one that has none, and says why.
  InstructionRow (*row_of)(const ptx::Instruction& instruction);
  // What ends a body without `ret`.
  Handler (*end_of)(const ptx::Function& function);
  // Stops the program with the text in the operation's detail (a std::string).
  Handler refusal;
};

}  // namespace tmaemu
