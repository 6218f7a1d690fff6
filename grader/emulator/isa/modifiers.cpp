#include "emulator/isa/modifiers.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tmaemu {

Modifiers::Modifiers(const ptx::Instruction& instruction)
    : rest_(instruction.parts.begin() + 1, instruction.parts.end()) {}

bool Modifiers::take(std::string_view name) {
  const auto found = std::ranges::find(rest_, name);
  if (found == rest_.end()) return false;
  rest_.erase(found);
  return true;
}

namespace {

std::optional<Rounding> take_mode(std::vector<std::string_view>& rest, bool to_integer) {
  for (auto part = rest.begin(); part != rest.end(); ++part) {
    if (const auto mode = rounding_from_name(*part, to_integer)) {
      rest.erase(part);
      return mode;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rounding> Modifiers::take_rounding() {
  return take_mode(rest_, false);
}
std::optional<Rounding> Modifiers::take_integer_rounding() {
  return take_mode(rest_, true);
}

std::string_view Modifiers::take_last() {
  if (rest_.empty()) return {};
  const std::string_view last = rest_.back();
  rest_.pop_back();
  return last;
}

std::string_view Modifiers::take_next() {
  if (rest_.empty()) return {};
  const std::string_view next = rest_.front();
  rest_.erase(rest_.begin());
  return next;
}

ptx::Type Modifiers::take_type() {
  const std::string_view name = take_last();
  const auto type = ptx::type_from_name(name);
  if (!type) Decoder::refuse("has no type that is modeled");
  return *type;
}

void Modifiers::finish() const {
  if (rest_.empty()) return;
  Decoder::refuse("has the modifier ." + std::string(rest_.front()) + ", which is not modeled");
}

void expect_operands(const ptx::Instruction& instruction, std::size_t count) {
  if (instruction.operands.size() == count) return;
  Decoder::refuse("has " + std::to_string(instruction.operands.size()) + " operands, and " +
                  std::to_string(count) + " are expected");
}

Slot floating_source(Decoder& decoder, const ptx::Operand& operand, unsigned bytes) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::float64 && bytes == 4) {
    const auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
    return decoder.constant(std::bit_cast<std::uint32_t>(value), bytes);
  }
  if (operand.kind == Kind::float32 && bytes == 8) {
    const double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
    return decoder.constant(std::bit_cast<std::uint64_t>(value), bytes);
  }
  const bool is_literal = operand.kind == Kind::float32 || operand.kind == Kind::float64;
  if (is_literal && bytes < 4) Decoder::refuse("has a floating-point literal for a 16-bit operand");
  return decoder.source(operand, bytes);
}

}  // namespace tmaemu
