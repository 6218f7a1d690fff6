// A matrix multiplication with all operands in registers: from fragments to the arithmetic of
// tensor/multiply.h and back.
#pragma once

#include <array>

#include "emulator/isa/matrix/forms.h"
#include "emulator/isa/matrix/fragments.h"
#include "emulator/isa/matrix/sparse.h"
#include "emulator/program/decoder.h"
#include "emulator/sched/warp.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

// More registers no operand has.
using FragmentSlots = std::array<Slot, 8>;

// What the operation's detail points to.
struct Multiplication {
  tensor::Product product;
  Fragments fragments;
  // Each may be f16 where the product's sums are f32.
  tensor::Accumulator type_of_c = tensor::Accumulator::f32;
  tensor::Accumulator type_of_d = tensor::Accumulator::f32;
  FragmentSlots d{}, a{}, b{}, c{};
  // Of a sparse A.
  Slot metadata = 0;
  unsigned selector = 0;
};

// The product of the form. Where it is summed in blocks, one of them has all products, or with fp8
// half of them.
tensor::Product product_of(const MatrixModifiers& modifiers, bool is_sparse);
// Takes what rounds and what saturates, where the types have it.
void take_arithmetic_modifiers(Instruction& instruction, tensor::Product& product);

// Takes the registers of D, A, B and C from the first four operands. `factor_registers`: that are
// written for A and for B; only those of their cells are looked at.
struct FactorRegisters {
  unsigned a, b;
};
void decode_matrices(Decoder& decoder, Instruction& instruction, FactorRegisters factor_registers,
                     Multiplication& multiplication);
// The operation is this multiplication.
void set_multiplication(Decoder& decoder, Operation& op, const Multiplication& multiplication);

}  // namespace tmaemu
