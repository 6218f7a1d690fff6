// The matrix instructions that sm_90a has: which types and shapes go together. PTX ISA, "Matrix
// Shape" and "Matrix Data-types"; where it leaves out what a target has, what ptxas takes.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "emulator/isa/words.h"
#include "emulator/program/decoder.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};

// Types and shapes that go together, in PTX's names: any of the factors for A with any for B, any
// of the accumulators, and any of the shapes.
struct MatrixForms {
  std::string_view factors;
  std::string_view accumulators;  // of C and D
  std::string_view shapes;
};

// An instruction that multiplies matrices, and all that it has.
struct MatrixInstruction {
  std::string_view name;
  std::span<const MatrixForms> forms;
};
std::span<const MatrixInstruction> matrix_instructions();
const MatrixInstruction& matrix_instruction(std::string_view name);

// What the modifiers of an instruction say of its matrices.
struct MatrixModifiers {
  std::string_view shape_name;
  MatrixShape shape;
  std::string_view d, a, b, c;  // types
};

// Takes the shape and the types, those of D, A, B and C as PTX writes them; where there are two,
// they are those of D and C, and A and B are f16.
MatrixModifiers take_matrix_modifiers(Instruction& instruction);
// The shape alone. `name`: as it is written.
MatrixShape take_matrix_shape(Instruction& instruction, std::string_view& name);
// The first modifier that names a type of matrices; empty where none does.
std::string_view take_matrix_type(Instruction& instruction);

// Whether the instruction has the types and the shape together.
bool has_form(const MatrixInstruction& instruction, const MatrixModifiers& modifiers);

// Of the types in the tables.
tensor::Element element_named(std::string_view type);
tensor::Accumulator accumulator_named(std::string_view type);

}  // namespace tmaemu
