#include "emulator/isa/matrix/warpgroup_form.h"

#include <algorithm>
#include <string>

#include "emulator/isa/matrix/forms.h"
#include "emulator/isa/modifiers.h"

namespace tmaemu {
namespace {

using tensor::Element;

// The types that go together. PTX ISA, "Data Types" of wgmma.mma_async. Of shapes there are too
// many for a list.
constexpr MatrixForms types[] = {
    {"f16", "f16 f32", ""},       {"bf16", "f32", ""},  {"tf32", "f32", ""},
    {"e4m3 e5m2", "f16 f32", ""}, {"s8 u8", "s32", ""}, {"b1", "s32", ""},
};

bool are_possible(std::string_view d, std::string_view a, std::string_view b) {
  return std::ranges::any_of(types, [&](const MatrixForms& forms) {
    return is_listed(forms.accumulators, d) && is_listed(forms.factors, a) &&
           is_listed(forms.factors, b);
  });
}

bool is_floating(Element type) {
  return !tensor::is_integer(type) && type != Element::b1;
}

// Of integers and bits not every multiple of 8 is there.
bool is_possible_n(Element a, unsigned n) {
  if (n == 0 || n > 256 || n % 8 != 0) return false;
  return is_floating(a) || n <= 32 || n % 16 == 0;
}

tensor::Product take_product(Instruction& instruction) {
  const bool is_sparse = instruction.take("sp");
  for (const std::string_view name : {"sync", "aligned"}) instruction.require(name);
  std::string_view name;
  const MatrixShape shape = take_matrix_shape(instruction, name);
  tensor::Product product;
  product.saturates = instruction.take("satfinite");
  const bool counts_common_bits = instruction.take("and");
  if (counts_common_bits) instruction.require("popc");
  const std::string_view d = take_matrix_type(instruction);
  const std::string_view a = take_matrix_type(instruction);
  const std::string_view b = take_matrix_type(instruction);
  if (b.empty()) refuse_without("types of the matrices");
  if (!are_possible(d, a, b)) refuse("multiplies types that it cannot");
  product.accumulator = accumulator_named(d);
  product.a = element_named(a);
  product.b = element_named(b);
  if (counts_common_bits != (product.a == Element::b1)) {
    refuse(counts_common_bits ? "has .and, which is for single bits"
                              : "names no operation of bits");
  }
  if (is_sparse && product.a == Element::b1) refuse("has a sparse A of single bits");
  if (product.saturates && !tensor::is_integer(product.a)) {
    refuse("has .satfinite, which is for integers");
  }
  constexpr unsigned row_bits = 8 * WarpgroupForm::a_row_bytes;
  product.m = 16;
  product.n = shape.n;
  product.k = row_bits / tensor::bits_of(product.a);
  product.is_sparse = is_sparse;
  constexpr unsigned rows_of_warpgroup = 64;
  if (shape.m != rows_of_warpgroup || shape.k != product.rows_of_b() ||
      !is_possible_n(product.a, shape.n)) {
    refuse("has a shape that its types have not");
  }
  product.block = product.k;
  product.is_coarse = tensor::is_fp8(product.a);
  if (product.a == Element::b1) {
    product.summation = tensor::Summation::bits_and;
  } else if (tensor::is_integer(product.a)) {
    product.summation = tensor::Summation::integer;
  }
  return product;
}

// The operands from `next` on that are constants.
class Constants {
 public:
  Constants(const Instruction& instruction, std::size_t next)
      : instruction_(instruction), next_(next) {}

  s64 take(const char* what, std::initializer_list<s64> values) {
    if (next_ >= instruction_.operand_count()) refuse(std::string("lacks an operand: ") + what);
    const ptx::Operand& operand = instruction_.operand(next_++);
    const auto value = static_cast<s64>(operand.bits);
    if (operand.kind != ptx::Operand::Kind::integer ||
        std::ranges::find(values, value) == values.end()) {
      refuse(std::string("has an operand that is none: ") + what);
    }
    return value;
  }
  std::size_t next() const { return next_; }

 private:
  const Instruction& instruction_;
  std::size_t next_;
};

void decode_d(Decoder& decoder, const ptx::Operand& operand, WarpgroupForm& form) {
  const Fragment fragment = accumulators_of_16_rows(form.product.n);
  const auto elements_of_d = elements_of(operand);
  if (elements_of_d.size() != accumulator_registers(form.product.accumulator, fragment.cells)) {
    refuse("has an unexpected number of registers for D");
  }
  for (const ptx::Operand& element : elements_of_d) {
    decoder.source(element, 4);
    form.d.push_back(decoder.destination(element, 4));
  }
}

void decode_a(Decoder& decoder, const ptx::Operand& operand, WarpgroupForm& form) {
  form.is_a_in_registers = operand.kind == ptx::Operand::Kind::vector;
  if (!form.is_a_in_registers) {
    form.a[0] = decoder.source(operand, 8);
    return;
  }
  const auto registers = elements_of(operand);
  if (registers.size() != form.a.size()) refuse("has an unexpected number of registers for A");
  for (std::size_t i = 0; i < form.a.size(); ++i) form.a[i] = decoder.source(registers[i], 4);
}

}  // namespace

WarpgroupForm decode_warpgroup_form(Decoder& decoder, Instruction& instruction) {
  WarpgroupForm form;
  form.product = take_product(instruction);
  const Element type = form.product.a;
  const bool is_sparse = form.product.is_sparse;
  instruction.expect_operands(is_sparse ? 6 : 4, 10);
  decode_d(decoder, instruction.operand(0), form);
  decode_a(decoder, instruction.operand(1), form);
  form.b = decoder.source(instruction.operand(2), 8);
  std::size_t next = 3;
  if (is_sparse) {
    form.metadata = decoder.source(instruction.operand(next++), 4);
    Constants selector(instruction, next);
    const bool has_two = tensor::bits_of(type) >= 16;
    form.selector = static_cast<unsigned>(has_two ? selector.take("the selector", {0, 1})
                                                  : selector.take("the selector", {0}));
    next = selector.next();
  }
  const ptx::Operand& scale_d = instruction.operand(next++);
  form.scale_d = decoder.predicate(scale_d);
  form.is_scale_d_negated = scale_d.negated;
  Constants constants(instruction, next);
  if (is_floating(type)) {
    const s64 scale_a = constants.take("imm-scale-a", {1, -1});
    const s64 scale_b = constants.take("imm-scale-b", {1, -1});
    form.is_negative = scale_a != scale_b;
  }
  if (tensor::bits_of(type) == 16) {
    if (!form.is_a_in_registers) {
      form.is_a_transposed = constants.take("imm-trans-a", {0, 1}) == 1;
    }
    form.is_b_transposed = constants.take("imm-trans-b", {0, 1}) == 1;
  }
  instruction.expect_operands(constants.next());
  return form;
}

}  // namespace tmaemu
