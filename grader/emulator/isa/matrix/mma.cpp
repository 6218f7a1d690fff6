// PTX ISA, "Matrix multiply-accumulate operation using mma instruction", and with sparse matrix A:
// mma.sync and mma.sp.
#include "emulator/isa/matrix/forms.h"
#include "emulator/isa/matrix/multiplication.h"
#include "emulator/isa/modifiers.h"

namespace tmaemu {
namespace {

// Words of a lane that hold `lines` lines of `count` elements, or 64-bit registers of f64.
unsigned registers_of(unsigned lines, unsigned count, tensor::Element type) {
  const unsigned register_bits = type == tensor::Element::f64 ? 64 : 32;
  return lines * count * tensor::bits_of(type) / (warp_size * register_bits);
}

Fragments fragments_of(const tensor::Product& product) {
  const unsigned a = registers_of(product.m, product.k, product.a);
  const unsigned b = registers_of(product.n, product.rows_of_b(), product.b);
  const bool has_16_rows = product.m == 16;
  return {has_16_rows ? factors_of_16_rows(a) : factors_of_8_lines(a), factors_of_8_lines(b),
          has_16_rows ? accumulators_of_16_rows(product.n) : accumulators_of_8_rows(product.n)};
}

// ptxas makes of it what Volta had: shuffles and ordinary multiplications, by quarters of the warp.
void refuse_volta_form(const MatrixModifiers& modifiers) {
  if (modifiers.shape_name == "m8n8k4" && modifiers.a == "f16") {
    refuse(
        "has the shape .m8n8k4 for f16, which no tensor core since Volta has; use .m16n8k8 or "
        ".m16n8k16");
  }
}

MatrixModifiers take_form(Instruction& instruction, const MatrixInstruction& own) {
  instruction.require("aligned");
  const MatrixModifiers modifiers = take_matrix_modifiers(instruction);
  refuse_volta_form(modifiers);
  if (!has_form(own, modifiers) || modifiers.c != modifiers.d) {
    refuse_as_ptxas("has types and a shape that do not go together on sm_90a");
  }
  instruction.require("row");
  instruction.require("col");
  return modifiers;
}

// Everything but the operands of sparsity.
Multiplication take_multiplication(Decoder& decoder, Instruction& instruction,
                                   const MatrixModifiers& modifiers, bool is_sparse) {
  Multiplication multiplication;
  multiplication.product = product_of(modifiers, is_sparse);
  multiplication.fragments = fragments_of(multiplication.product);
  multiplication.type_of_c = accumulator_named(modifiers.c);
  multiplication.type_of_d = accumulator_named(modifiers.d);
  take_arithmetic_modifiers(instruction, multiplication.product);
  instruction.expect_operands(is_sparse ? 6 : 4);
  decode_matrices(decoder, instruction,
                  {multiplication.fragments.a.cells, multiplication.fragments.b.cells},
                  multiplication);
  return multiplication;
}

// mma.sync.aligned.shape.row.col{.rnd}{.satfinite}.dtype.atype.btype.ctype{.bitOp.popc} d, a, b, c
void decode_dense(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const MatrixModifiers modifiers = take_form(instruction, matrix_instruction("mma.sync"));
  set_multiplication(decoder, op, take_multiplication(decoder, instruction, modifiers, false));
}

// mma.sp{::ordered_metadata}.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype
//     d, a, b, c, metadata, selector
void decode_sparse(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.require("sync");
  const MatrixModifiers modifiers = take_form(instruction, matrix_instruction("mma.sp"));
  Multiplication multiplication = take_multiplication(decoder, instruction, modifiers, true);
  multiplication.metadata = decoder.source(instruction.operand(4), 4);
  const u64 selector = constant_operand(instruction, 5, "selector");
  if (selector >= sparsity_selectors(multiplication.product)) {
    refuse("has a selector beyond those of its type and shape");
  }
  multiplication.selector = static_cast<unsigned>(selector);
  multiplication.has_ordered_metadata = instruction.row().ends_with("ordered_metadata");
  set_multiplication(decoder, op, multiplication);
}

constexpr Definition table[] = {
    {"mma.sync", decode_dense},
    {"mma.sp mma.sp::ordered_metadata", decode_sparse},
};

}  // namespace

std::span<const Definition> mma_definitions() {
  return table;
}

}  // namespace tmaemu
