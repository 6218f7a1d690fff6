// What an instruction is: its names and how it is decoded and executed. Each group of the PTX ISA
// manual has a file here with a table of definitions; to add an instruction, add a line to its
// table and a test.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "emulator/decode/decoder.h"
#include "emulator/decode/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

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
};

// What ends a body without `ret`, and the operation that stops the program with the text in its
// detail (a std::string).
Handler return_handler(const ptx::Function& function);
Handler refusal_handler();

}  // namespace tmaemu
