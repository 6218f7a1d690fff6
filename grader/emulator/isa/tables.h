// The registry of instructions: every table of this folder, under the title of its chapter.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "emulator/isa/definition.h"

namespace tmaemu {

struct Table {
  std::string_view title;  // several tables may have one
  std::span<const Definition> rows;
};

// In the order of the manual: PTX ISA, "Instruction Set".
std::span<const Table> instruction_tables();

// A definition, and that of its names which a mnemonic matched.
struct Row {
  const Definition* definition;
  std::string_view name;
};

// The row whose name is the whole mnemonic, else the one that takes the modifiers behind the
// longest beginning of it.
std::optional<Row> find_row(std::string_view mnemonic);

// The row of an instruction; refuses one that has none, and says why.
Row row_of(const ptx::Instruction& instruction);

}  // namespace tmaemu
