// Modifiers that instructions of several chapters have.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "emulator/numeric/rounding.h"
#include "emulator/program/decoder.h"

namespace tmaemu {

// .rn .rz .rm .rp .rna
std::optional<Rounding> take_rounding(Instruction& instruction);
// Refuses the instruction where the host cannot round so.
void require_host_rounding(Rounding rounding);
// .rni .rzi .rmi .rpi
std::optional<Rounding> take_integer_rounding(Instruction& instruction);

// .cta .cluster .gpu .sys
Scope take_scope(Instruction& instruction);
std::optional<Scope> take_optional_scope(Instruction& instruction);
// A semantics and its scope, .cta or .cluster: ".release.cluster". Where there is neither, `usual`.
MemoryOrder take_order(Instruction& instruction, std::span<const Choice<Semantics>> semantics,
                       MemoryOrder usual);

// .uni of branches and calls: all lanes that are active go the same way. They do so here, too.
void take_uniform(Instruction& instruction);

// .v2 .v4 .v8; 1 where there is none.
unsigned take_vector_width(Instruction& instruction);

// .L2::cache_hint, and the policy that it has for its last operand. What the L2 cache keeps, and
// for how long, no program can see.
void take_cache_policy(Decoder& decoder, Instruction& instruction);

// The elements of an operand: of {a, b, ...} each; of another one itself.
std::span<const ptx::Operand> elements_of(const ptx::Operand& operand);

// The value of an operand that has to be a constant. `what`: it is, as "number of groups".
u64 constant_operand(const Instruction& instruction, std::size_t index, std::string_view what);

}  // namespace tmaemu
