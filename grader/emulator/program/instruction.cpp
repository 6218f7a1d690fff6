#include "emulator/program/instruction.h"

#include <algorithm>

namespace tmaemu {

void refuse(const std::string& reason) {
  throw Refusal{reason};
}

void refuse_as_ptxas(const std::string& reason) {
  throw Refusal{reason, false};
}

void refuse_without(std::string_view what) {
  refuse("names no " + std::string(what));
}

Instruction::Instruction(const ptx::Instruction& text, std::string_view row)
    : text_(&text), operands_(text.operands) {
  match(row);
}

void Instruction::match(std::string_view row) {
  row_ = row;
  const auto own = 1 + std::ranges::count(row, '.');
  rest_.assign(text_->parts.begin() + own, text_->parts.end());
}

const ptx::Operand& Instruction::take_last_operand() {
  if (operands_.empty()) refuse("lacks an operand");
  const ptx::Operand& last = operands_.back();
  operands_ = operands_.first(operands_.size() - 1);
  return last;
}

void Instruction::expect_operands(std::size_t least, std::size_t most) const {
  const std::size_t count = operands_.size();
  if (least <= count && count <= most) return;
  refuse_rest();  // it may have an operand of its own
  refuse("has " + std::to_string(count) + " operands, and " + std::to_string(least) +
         (least == most ? "" : " to " + std::to_string(most)) + " are expected");
}

bool Instruction::take(std::string_view modifier) {
  const auto found = std::ranges::find(rest_, modifier);
  if (found == rest_.end()) return false;
  rest_.erase(found);
  return true;
}

void Instruction::require(std::string_view modifier) {
  if (!take(modifier)) refuse("lacks the modifier ." + std::string(modifier));
}

std::string_view Instruction::take_one_of(Names names) {
  const auto found = std::ranges::find_first_of(rest_, names);
  if (found == rest_.end()) return {};
  const std::string_view name = *found;
  rest_.erase(found);
  return name;
}

std::string_view Instruction::require_one_of(Names names, std::string_view what) {
  const std::string_view name = take_one_of(names);
  if (name.empty()) refuse_without(what);
  return name;
}

ptx::Type Instruction::take_type() {
  for (auto part = rest_.rbegin(); part != rest_.rend(); ++part) {
    if (const auto type = ptx::type_from_name(*part)) {
      rest_.erase(std::next(part).base());
      return *type;
    }
  }
  refuse("has no type that is modeled");
}

std::string_view Instruction::take_last() {
  if (rest_.empty()) return {};
  const std::string_view last = rest_.back();
  rest_.pop_back();
  return last;
}

std::string_view Instruction::take_first() {
  if (rest_.empty()) return {};
  const std::string_view first = rest_.front();
  rest_.erase(rest_.begin());
  return first;
}

void Instruction::refuse_rest(std::string_view why) const {
  if (rest_.empty()) return;
  const std::string_view modifier = rest_.front();
  if (was_taken(modifier)) refuse("has the modifier ." + std::string(modifier) + " twice");
  refuse("has the modifier ." + std::string(modifier) + ", " + std::string(why));
}

void Instruction::refuse_rest() const {
  refuse_rest("which is not modeled here");
}

bool Instruction::was_taken(std::string_view modifier) const {
  return std::ranges::count(text_->parts, modifier) > std::ranges::count(rest_, modifier);
}

}  // namespace tmaemu
