#include "emulator/isa/matrix/forms.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tmaemu {
namespace {

using tensor::Accumulator;
using tensor::Element;

constexpr MatrixForms mma_forms[] = {
    {"f16", "f16 f32", "m16n8k8 m16n8k16"},
    {"bf16", "f32", "m16n8k8 m16n8k16"},
    {"tf32", "f32", "m16n8k4 m16n8k8"},
    {"e4m3 e5m2", "f16 f32", "m16n8k16 m16n8k32"},
    {"f64", "f64", "m8n8k4 m16n8k4 m16n8k8 m16n8k16"},
    {"s8 u8", "s32", "m8n8k16 m16n8k16 m16n8k32"},
    {"s4 u4", "s32", "m8n8k32 m16n8k32 m16n8k64"},
    {"b1", "s32", "m8n8k128 m16n8k128 m16n8k256"},
};

constexpr MatrixForms sparse_mma_forms[] = {
    {"f16", "f16 f32", "m16n8k16 m16n8k32"}, {"bf16", "f32", "m16n8k16 m16n8k32"},
    {"tf32", "f32", "m16n8k8 m16n8k16"},     {"e4m3 e5m2", "f32", "m16n8k64"},
    {"s8 u8", "s32", "m16n8k32 m16n8k64"},   {"s4 u4", "s32", "m16n8k64 m16n8k128"},
};

constexpr MatrixForms wmma_forms[] = {
    {"f16", "f16 f32", "m16n16k16 m32n8k16 m8n32k16"},
    {"bf16", "f32", "m16n16k16 m32n8k16 m8n32k16"},
    {"tf32", "f32", "m16n16k8"},
    {"f64", "f64", "m8n8k4"},
    {"s8", "s32", "m16n16k16 m32n8k16 m8n32k16"},
    {"u8", "s32", "m16n16k16 m32n8k16 m8n32k16"},
    {"s4", "s32", "m8n8k32"},
    {"u4", "s32", "m8n8k32"},
    {"b1", "s32", "m8n8k128"},
};

constexpr MatrixInstruction instructions[] = {
    {"mma.sync", mma_forms}, {"mma.sp", sparse_mma_forms}, {"wmma.mma", wmma_forms}};

constexpr Choice<Element> elements[] = {
    {"f16", Element::f16},   {"bf16", Element::bf16}, {"tf32", Element::tf32},
    {"e4m3", Element::e4m3}, {"e5m2", Element::e5m2}, {"f64", Element::f64},
    {"s8", Element::s8},     {"u8", Element::u8},     {"s4", Element::s4},
    {"u4", Element::u4},     {"b1", Element::b1},
};
constexpr Choice<Accumulator> accumulators[] = {{"f16", Accumulator::f16},
                                                {"f32", Accumulator::f32},
                                                {"s32", Accumulator::s32},
                                                {"f64", Accumulator::f64}};

template <class T, std::size_t size>
const Choice<T>* find_named(const Choice<T> (&choices)[size], std::string_view name) {
  const auto* const found = std::ranges::find(choices, name, &Choice<T>::name);
  return found == std::end(choices) ? nullptr : found;
}

// "m16n8k16"; nullopt where it is none.
std::optional<MatrixShape> shape_from_name(std::string_view name) {
  MatrixShape shape;
  const std::pair<char, unsigned*> parts[] = {{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}};
  for (const auto& [letter, number] : parts) {
    if (!name.starts_with(letter)) return std::nullopt;
    name.remove_prefix(1);
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), *number);
    if (error != std::errc{}) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  }
  if (!name.empty()) return std::nullopt;
  return shape;
}

}  // namespace

std::span<const MatrixInstruction> matrix_instructions() {
  return instructions;
}

const MatrixInstruction& matrix_instruction(std::string_view name) {
  return *std::ranges::find(instructions, name, &MatrixInstruction::name);
}

MatrixShape take_matrix_shape(Instruction& instruction, std::string_view& name) {
  for (const std::string_view modifier : instruction.untaken()) {
    if (const auto shape = shape_from_name(modifier)) {
      name = modifier;
      instruction.take(modifier);
      return *shape;
    }
  }
  refuse_without("shape");
}

std::string_view take_matrix_type(Instruction& instruction) {
  for (const std::string_view modifier : instruction.untaken()) {
    if (find_named(elements, modifier) == nullptr && find_named(accumulators, modifier) == nullptr)
      continue;
    const std::string_view type = modifier;
    instruction.take(type);
    return type;
  }
  return {};
}

MatrixModifiers take_matrix_modifiers(Instruction& instruction) {
  MatrixModifiers modifiers;
  modifiers.shape = take_matrix_shape(instruction, modifiers.shape_name);
  const auto take = [&] { return take_matrix_type(instruction); };
  std::array<std::string_view, 4> types{take(), take(), take(), take()};
  if (types[1].empty()) refuse_without("types of the matrices");
  if (types[2].empty()) types = {types[0], "f16", "f16", types[1]};
  modifiers.d = types[0];
  modifiers.a = types[1];
  modifiers.b = types[2];
  modifiers.c = types[3];
  return modifiers;
}

bool has_form(const MatrixInstruction& instruction, const MatrixModifiers& modifiers) {
  return std::ranges::any_of(instruction.forms, [&](const MatrixForms& forms) {
    return is_listed(forms.factors, modifiers.a) && is_listed(forms.factors, modifiers.b) &&
           is_listed(forms.accumulators, modifiers.c) &&
           is_listed(forms.accumulators, modifiers.d) &&
           is_listed(forms.shapes, modifiers.shape_name);
  });
}

Element element_named(std::string_view type) {
  return find_named(elements, type)->value;
}

Accumulator accumulator_named(std::string_view type) {
  return find_named(accumulators, type)->value;
}

}  // namespace tmaemu
