#include "emulator/isa/modifiers.h"

namespace tmaemu {
namespace {

constexpr Choice<Rounding> roundings[] = {
    {"rn", Rounding::nearest_even}, {"rz", Rounding::toward_zero},   {"rm", Rounding::down},
    {"rp", Rounding::up},           {"rna", Rounding::nearest_away},
};
constexpr Choice<Rounding> integer_roundings[] = {
    {"rni", Rounding::nearest_even},
    {"rzi", Rounding::toward_zero},
    {"rmi", Rounding::down},
    {"rpi", Rounding::up},
};
constexpr Choice<Scope> cluster_scopes[] = {{"cta", Scope::cta}, {"cluster", Scope::cluster}};
constexpr Choice<Scope> scopes[] = {
    {"cta", Scope::cta},
    {"cluster", Scope::cluster},
    {"gpu", Scope::gpu},
    {"sys", Scope::sys},
};

}  // namespace

std::optional<Rounding> take_rounding(Instruction& instruction) {
  return instruction.take_one_of(roundings);
}

void require_host_rounding(Rounding rounding) {
  if (rounding == Rounding::nearest_even || host_rounds_in_directions) return;
  refuse("rounds in a direction, which is not modeled in a page of the book; tmaemu runs it");
}

std::optional<Rounding> take_integer_rounding(Instruction& instruction) {
  return instruction.take_one_of(integer_roundings);
}

Scope take_scope(Instruction& instruction) {
  return instruction.require_one_of(scopes, "scope");
}

std::optional<Scope> take_optional_scope(Instruction& instruction) {
  return instruction.take_one_of(scopes);
}

MemoryOrder take_order(Instruction& instruction, std::span<const Choice<Semantics>> semantics,
                       MemoryOrder usual) {
  for (const auto& [name, value] : semantics) {
    if (instruction.take(name)) return {value, instruction.require_one_of(cluster_scopes, "scope")};
  }
  return usual;
}

void take_uniform(Instruction& instruction) {
  instruction.take("uni");
}

unsigned take_vector_width(Instruction& instruction) {
  static constexpr Choice<unsigned> widths[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
  return instruction.take_one_of(widths).value_or(1);
}

void take_cache_policy(Decoder& decoder, Instruction& instruction) {
  if (instruction.take("L2::cache_hint")) decoder.source(instruction.take_last_operand(), 8);
}

std::span<const ptx::Operand> elements_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {&operand, 1};
}

u64 constant_operand(const Instruction& instruction, std::size_t index, std::string_view what) {
  const ptx::Operand& operand = instruction.operand(index);
  if (operand.kind != ptx::Operand::Kind::integer) {
    refuse("needs a constant " + std::string(what));
  }
  return operand.bits;
}

}  // namespace tmaemu
