// The registry of instructions: every table of this folder and its wings, under the title of its
// chapter.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "emulator/program/definition.h"

namespace tmaemu {

struct Table {
  std::string_view title;  // several tables may have one
  std::span<const Definition> rows;
};

// In the order of the manual: PTX ISA, "Instruction Set".
std::span<const Table> instruction_tables();

// The row whose name is the whole mnemonic, else the one that takes the modifiers behind the
// longest beginning of it.
std::optional<InstructionRow> find_row(std::string_view mnemonic);

// For the decoder.
const InstructionSet& instruction_set();

}  // namespace tmaemu
