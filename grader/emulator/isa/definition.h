// What an instruction is: its names and how it is decoded and executed. Each group of the PTX ISA
// manual has a file here with a table of definitions; to add an instruction, add a line to its
// table and a test.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/program/decoder.h"
#include "emulator/program/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

struct Definition {
  // Fills an operation from an instruction; calls Decoder::refuse where it cannot.
  using Decode = void (*)(Decoder&, const ptx::Instruction&, Operation&, const Definition&);

  // Whole mnemonics ("add.u32 add.s32"), or their beginnings up to a dot where `decode` looks at
  // the remaining modifiers itself ("ld", "cp.async.bulk").
  std::string_view names;
  Decode decode = nullptr;
  Handler handler = nullptr;
  // Bytes of a lane's value of each operand, destination first; 0 for a predicate.
  std::array<std::uint8_t, 5> bytes{};
  std::uint8_t operand_count = 0;
};

// The tables, as the chapters of the manual: PTX ISA, "Instruction Set".
std::span<const Definition> integer_definitions();
std::span<const Definition> bit_definitions();
std::span<const Definition> floating_definitions();
std::span<const Definition> comparison_definitions();
std::span<const Definition> conversion_definitions();
std::span<const Definition> movement_definitions();
std::span<const Definition> memory_definitions();
std::span<const Definition> atomic_definitions();
std::span<const Definition> control_definitions();
std::span<const Definition> call_definitions();
std::span<const Definition> carry_definitions();
std::span<const Definition> small_integer_definitions();
std::span<const Definition> async_copy_definitions();
std::span<const Definition> async_store_definitions();
std::span<const Definition> matrix_definitions();
std::span<const Definition> tensor_map_definitions();
std::span<const Definition> synchronisation_definitions();
std::span<const Definition> mbarrier_definitions();
std::span<const Definition> bulk_copy_definitions();
std::span<const Definition> tensor_copy_definitions();
std::span<const Definition> warp_definitions();
std::span<const Definition> cluster_definitions();

// All of them.
std::vector<std::span<const Definition>> all_definitions();

// The definition whose name is the whole mnemonic, else the one with the longest beginning of it;
// null where there is none.
const Definition* find_definition(const ptx::Instruction& instruction);

// What ends a body without `ret`, and the operation that stops the program with the text in its
// detail (a std::string).
Handler return_handler(const ptx::Function& function);
Handler refusal_handler();

// Whether the instruction has the modifier ("volatile", "shared::cta").
bool has_modifier(const ptx::Instruction& instruction, std::string_view modifier);
// The type of the instruction: its last modifier that names one.
ptx::Type type_of(const ptx::Instruction& instruction);

}  // namespace tmaemu
