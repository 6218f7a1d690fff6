#include "emulator/isa/matrix/multiplication.h"

#include <algorithm>

#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/tensor/multiply.h"

namespace tmaemu {
namespace {

using tensor::Accumulator;
using tensor::Element;
using tensor::Product;

// The largest: f64's A of m16n8k16; D of m16n16.
constexpr std::size_t most_factor_bytes = 2048;
constexpr std::size_t most_sums = 256;
constexpr std::size_t most_kept = std::size_t{sparse_rows} * tensor::most_products;

unsigned factor_register_bytes(Element type) {
  return type == Element::f64 ? 8 : 4;
}

tensor::PackedRows gather(Frame& frame, const Fragment& fragment, std::span<const Slot> registers,
                          Element type, unsigned count, std::byte* bytes) {
  const unsigned row_bytes = count * tensor::bits_of(type) / 8;
  gather_factors(frame, fragment, registers, factor_register_bytes(type), bytes, row_bytes);
  return {bytes, row_bytes};
}

void multiply(Frame& frame, const Multiplication& multiplication) {
  const Product& product = multiplication.product;
  const Fragments& fragments = multiplication.fragments;
  alignas(64) std::byte bytes_of_a[most_factor_bytes], bytes_of_b[most_factor_bytes];
  const auto a = gather(frame, fragments.a, multiplication.a, product.a, product.k, bytes_of_a);
  const auto b =
      gather(frame, fragments.b, multiplication.b, product.b, product.rows_of_b(), bytes_of_b);
  if (product.accumulator == Accumulator::f64) {
    f64 sums[most_sums];
    gather_sums_f64(frame, fragments.c, multiplication.c, product.n, sums);
    tensor::multiply_f64(product, a, b, sums);
    return scatter_sums_f64(frame, fragments.c, multiplication.d, product.n, sums);
  }
  u8 columns[most_kept];
  tensor::KeptColumns kept;
  if (product.is_sparse) {
    find_kept_columns(product, frame.lanes<u32>(multiplication.metadata), multiplication.selector,
                      columns);
    kept = {columns, product.k};
  }
  alignas(64) u32 sums[most_sums];
  gather_sums(frame, fragments.c, multiplication.c, multiplication.type_of_c, product.n, sums);
  tensor::multiply(product, a, b, kept, sums);
  scatter_sums(frame, fragments.c, multiplication.d, multiplication.type_of_d, product.n, sums);
}

const Operation* multiply_matrices(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  const auto& multiplication = *static_cast<const Multiplication*>(op.detail);
  if (multiplication.product.is_sparse) {
    require_defined_metadata(warp, op, multiplication.product,
                             warp.lanes<u32>(multiplication.metadata), multiplication.selector,
                             multiplication.has_ordered_metadata);
  }
  multiply(warp.frame(), multiplication);
  return next;
}

tensor::Summation summation_of(const MatrixModifiers& modifiers) {
  const Element a = element_named(modifiers.a);
  if (tensor::is_fp8(a)) return tensor::Summation::halves_of_words;
  if (tensor::is_integer(a)) return tensor::Summation::integer;
  return a == Element::f64 ? tensor::Summation::chain : tensor::Summation::blocks;
}

std::span<const ptx::Operand> registers_of(const ptx::Operand& operand, std::size_t count) {
  const auto registers = elements_of(operand);
  if (registers.size() != count) refuse("has an unexpected number of registers");
  return registers;
}

void decode_factor(Decoder& decoder, const ptx::Operand& operand, unsigned count, Element type,
                   FragmentSlots& slots) {
  const auto registers = registers_of(operand, count);
  const unsigned bytes = factor_register_bytes(type);
  for (unsigned i = 0; i < count; ++i) slots[i] = decoder.source(registers[i], bytes);
}

}  // namespace

tensor::Product product_of(const MatrixModifiers& modifiers, bool is_sparse) {
  tensor::Product product;
  product.m = modifiers.shape.m;
  product.n = modifiers.shape.n;
  product.k = is_sparse ? modifiers.shape.k / 2 : modifiers.shape.k;
  product.is_sparse = is_sparse;
  product.a = element_named(modifiers.a);
  product.b = element_named(modifiers.b);
  product.accumulator = std::max(accumulator_named(modifiers.c), accumulator_named(modifiers.d));
  product.summation = summation_of(modifiers);
  const bool in_halves = product.summation == tensor::Summation::halves_of_words;
  product.block = in_halves ? product.k / 2 : product.k;
  return product;
}

void take_arithmetic_modifiers(Instruction& instruction, tensor::Product& product) {
  if (product.a == Element::f64) {
    static constexpr Choice<Rounding> roundings[] = {{"rn", Rounding::nearest_even},
                                                     {"rz", Rounding::toward_zero},
                                                     {"rm", Rounding::down},
                                                     {"rp", Rounding::up}};
    product.rounding = instruction.take_one_of(roundings).value_or(Rounding::nearest_even);
    require_host_rounding(product.rounding);
  }
  if (tensor::is_integer(product.a)) product.saturates = instruction.take("satfinite");
  if (product.a == Element::b1) {
    static constexpr Choice<tensor::Summation> operations[] = {
        {"and", tensor::Summation::bits_and}, {"xor", tensor::Summation::bits_xor}};
    product.summation = instruction.require_one_of(operations, "operation");
    instruction.require("popc");
  }
}

void decode_matrices(Decoder& decoder, Instruction& instruction, FactorRegisters factor_registers,
                     Multiplication& multiplication) {
  const Fragments& fragments = multiplication.fragments;
  const Product& product = multiplication.product;
  decode_factor(decoder, instruction.operand(1), factor_registers.a, product.a, multiplication.a);
  decode_factor(decoder, instruction.operand(2), factor_registers.b, product.b, multiplication.b);
  const auto count = [&](Accumulator type) {
    return accumulator_registers(type, fragments.c.cells);
  };
  const auto c = registers_of(instruction.operand(3), count(multiplication.type_of_c));
  for (std::size_t i = 0; i < c.size(); ++i) {
    const unsigned bytes = accumulator_register_bytes(multiplication.type_of_c);
    multiplication.c[i] = decoder.floating_source(c[i], bytes);
  }
  const auto d = registers_of(instruction.operand(0), count(multiplication.type_of_d));
  for (std::size_t i = 0; i < d.size(); ++i) {
    const unsigned bytes = accumulator_register_bytes(multiplication.type_of_d);
    multiplication.d[i] = decoder.destination(d[i], bytes);
  }
}

void set_multiplication(Decoder& decoder, Operation& op, const Multiplication& multiplication) {
  const Multiplication* const kept = decoder.program().keep(multiplication);
  op.detail = kept;
  op.execute = multiply_matrices;
  decoder.effects().product = &kept->product;
}

}  // namespace tmaemu
