// PTX ISA, "Matrix multiply-accumulate operation using wmma instructions": wmma.load, wmma.store
// and wmma.mma.
#include <algorithm>
#include <cstring>
#include <vector>

#include "emulator/isa/lanes.h"
#include "emulator/isa/matrix/multiplication.h"
#include "emulator/isa/matrix/wmma_forms.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/warp_access.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

using tensor::Accumulator;
using tensor::Element;

// --- Loads and stores ---

// How a matrix in memory is accessed: in steps, in each of which every lane has to do with some
// bytes of one of its lines.
struct FragmentAccess {
  struct Place {
    std::uint16_t line = 0;
    std::uint16_t byte = 0;  // of the line
  };
  struct Step {
    unsigned register_number = 0;  // of the fragment, and where in it the bytes are
    unsigned byte = 0;
    std::array<Place, warp_size> places;  // by lane
  };
  MemoryAccess memory;  // where the matrix begins
  Slot stride = 0;      // elements from one line to the next
  unsigned element_bits = 0;
  unsigned bytes = 0;  // of a lane in a step
  std::vector<Step> steps;
};

// What the operation's detail points to.
struct FragmentTransfer {
  FragmentAccess access;
  unsigned register_bytes = 4;
  unsigned count = 0;   // of registers
  unsigned loaded = 0;  // the others get copies
  FragmentSlots registers{};

  std::byte* bytes_of(Warp& warp, const FragmentAccess::Step& step, unsigned lane) const {
    return warp.lanes<std::byte>(registers[step.register_number]) + lane * register_bytes +
           step.byte;
  }
};

// Step after step, all told before the first of them is taken.
std::vector<WarpAccess> access_steps(Warp& warp, const Operation& op, const FragmentAccess& access,
                                     events::Access::Kind kind) {
  const Addresses begins = addresses_of(warp, access.memory);
  const u32* const strides = warp.lanes<u32>(access.stride);
  std::vector<WarpAccess> steps;
  steps.reserve(access.steps.size());
  for (const FragmentAccess::Step& step : access.steps) {
    Addresses addresses;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const FragmentAccess::Place place = step.places[lane];
      addresses[lane] =
          begins[lane] + place.byte + place.line * (u64{strides[lane]} * access.element_bits / 8);
    }
    steps.emplace_back(warp, op, access.memory, addresses, all_lanes,
                       AccessForm{kind, access.bytes});
  }
  return steps;
}

// The address may be in a register that is loaded: all places are found first.
const Operation* load_fragment(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& transfer = *static_cast<const FragmentTransfer*>(op.detail);
  const FragmentAccess& access = transfer.access;
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  const auto steps = access_steps(warp, op, access, events::Access::Kind::load);
  constexpr std::size_t most_steps = 16;
  std::array<std::array<std::byte*, warp_size>, most_steps> places;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) places[i][lane] = steps[i].place(lane).bytes;
  }
  for (std::size_t i = 0; i < access.steps.size(); ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      std::memcpy(transfer.bytes_of(warp, access.steps[i], lane), places[i][lane], access.bytes);
    }
  }
  for (unsigned i = transfer.loaded; i < transfer.count; ++i) {
    const u32* const from = warp.lanes<u32>(transfer.registers[i % transfer.loaded]);
    std::copy_n(from, warp_size, warp.lanes<u32>(transfer.registers[i]));
  }
  return next;
}

const Operation* store_fragment(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& transfer = *static_cast<const FragmentTransfer*>(op.detail);
  const FragmentAccess& access = transfer.access;
  const Operation* next = &op + 1;
  if (!is_whole_warp(warp, op, lanes, next)) return next;
  const auto steps = access_steps(warp, op, access, events::Access::Kind::store);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const Place place = steps[i].place(lane);
      std::memcpy(place.bytes, transfer.bytes_of(warp, access.steps[i], lane), access.bytes);
      if (place.shared_of == nullptr) continue;
      place.shared_of->shared.note_write(place.shared_offset, access.bytes, warp.thread(lane),
                                         place.shared_of->cluster.causality().now());
    }
  }
  return next;
}

// One step for each piece of the fragment that is in one piece in memory, too.
class Steps {
 public:
  // Elements of `element_bits`; `is_along`: the lines in memory are those of the fragment.
  Steps(const Fragment& fragment, unsigned element_bits, bool is_along, FragmentAccess& access)
      : fragment_(fragment), bits_(element_bits), is_along_(is_along), access_(access) {
    access.element_bits = element_bits;
  }

  // Of A or B: a cell is a register.
  void add_factors(unsigned register_bytes) {
    access_.bytes = is_along_ ? register_bytes : bits_ / 8;
    const unsigned in_cell = 8 * register_bytes / bits_;
    for (unsigned cell = 0; cell < fragment_.cells; ++cell) {
      for (unsigned byte = 0; byte < register_bytes; byte += access_.bytes) {
        add(cell, byte, cell, in_cell, 8 * byte / bits_);
      }
    }
  }

  // Of C or D: a cell is two elements. Those of f16 share a register.
  void add_accumulators() {
    const bool is_half = bits_ == 16;
    access_.bytes = is_half && is_along_ ? 4 : bits_ / 8;
    for (unsigned cell = 0; cell < fragment_.cells; ++cell) {
      for (unsigned i = 0; i < 2; i += 8 * access_.bytes / bits_) {
        add(is_half ? cell : 2 * cell + i, is_half ? 2 * i : 0, cell, 2, i);
      }
    }
  }

 private:
  // The element that is the i-th of the cell, and those beside it.
  void add(unsigned register_number, unsigned byte, unsigned cell, unsigned in_cell, unsigned i) {
    FragmentAccess::Step& step = access_.steps.emplace_back();
    step.register_number = register_number;
    step.byte = byte;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const unsigned line = fragment_.line(lane, cell);
      const unsigned element = fragment_.place(lane, cell) * in_cell + i;
      const unsigned in_line = is_along_ ? element : line;
      step.places[lane] = {static_cast<std::uint16_t>(is_along_ ? line : element),
                           static_cast<std::uint16_t>(in_line * bits_ / 8)};
    }
  }

  const Fragment& fragment_;
  unsigned bits_;
  bool is_along_;
  FragmentAccess& access_;
};

// "a", "b", "c" or "d", with its layout, shape and type.
struct WmmaMatrix {
  char which;
  bool is_row_major;
  MatrixShape shape;
  std::string_view shape_name;
  std::string_view type;

  bool is_factor() const { return which == 'a' || which == 'b'; }
  unsigned elements_of_line() const {
    const unsigned rows = which == 'b' ? shape.k : shape.m;
    const unsigned columns = which == 'a' ? shape.k : shape.n;
    return is_row_major ? columns : rows;
  }
};

// The type of A and B that an accumulator of this shape goes with: several may, and then their
// accumulators lie alike.
const MatrixForms* find_forms(const WmmaMatrix& matrix) {
  for (const MatrixForms& forms : matrix_instruction("wmma.mma").forms) {
    const std::string_view types = matrix.is_factor() ? forms.factors : forms.accumulators;
    if (is_listed(types, matrix.type) && is_listed(forms.shapes, matrix.shape_name)) return &forms;
  }
  return nullptr;
}

// {.row,.col}.shape.type, and A and B of less than a byte only as the multiplication has them.
WmmaMatrix take_matrix(Instruction& instruction) {
  WmmaMatrix matrix{};
  matrix.which = instruction.row().back();
  for (const std::string_view name : {"sync", "aligned"}) instruction.require(name);
  matrix.is_row_major = instruction.require_one_of({"row", "col"}, "layout") == "row";
  matrix.shape = take_matrix_shape(instruction, matrix.shape_name);
  matrix.type = take_matrix_type(instruction);
  return matrix;
}

Fragment fragment_of(const WmmaMatrix& matrix, const MatrixForms& forms) {
  const Fragments fragments = wmma_fragments(element_named(forms.factors), matrix.shape);
  return matrix.which == 'a' ? fragments.a : matrix.which == 'b' ? fragments.b : fragments.c;
}

// What goes from where to where, but for the operands.
FragmentTransfer transfer_of(const WmmaMatrix& matrix) {
  const MatrixForms* const forms = find_forms(matrix);
  if (forms == nullptr) refuse_as_ptxas("has a type and a shape that do not go together on sm_90a");
  const Fragment fragment = fragment_of(matrix, *forms);
  FragmentTransfer transfer;
  if (!matrix.is_factor()) {
    const Accumulator type = accumulator_named(matrix.type);
    const unsigned bits = type == Accumulator::f16 ? 16 : 8 * accumulator_register_bytes(type);
    const bool is_along = matrix.is_row_major != fragment.is_transposed;
    Steps(fragment, bits, is_along, transfer.access).add_accumulators();
    transfer.register_bytes = accumulator_register_bytes(type);
    transfer.count = transfer.loaded = accumulator_registers(type, fragment.cells);
    return transfer;
  }
  const Element type = element_named(matrix.type);
  const bool is_along = matrix.is_row_major == (matrix.which == 'a');
  if (!is_along && tensor::bits_of(type) < 8) {
    refuse_as_ptxas("has a layout that elements of less than a byte do not have");
  }
  transfer.register_bytes = type == Element::f64 ? 8 : 4;
  Steps(fragment, tensor::bits_of(type), is_along, transfer.access)
      .add_factors(transfer.register_bytes);
  transfer.loaded = fragment.cells;
  transfer.count = wmma_factor_registers(type, fragment.cells);
  return transfer;
}

// wmma.load.{a,b,c}.sync.aligned.layout.shape{.space}.type r, [p] {, stride}
// wmma.store.d.sync.aligned.layout.shape{.space}.type [p], r {, stride}
template <bool loads>
void decode_transfer(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const WmmaMatrix matrix = take_matrix(instruction);
  FragmentTransfer transfer = transfer_of(matrix);
  transfer.access.memory.space =
      space_of(instruction.take_one_of({"global", "shared", "shared::cta"}));
  instruction.expect_operands(2, 3);
  const auto registers = elements_of(instruction.operand(loads ? 0 : 1));
  if (registers.size() != transfer.count) refuse("has an unexpected number of registers");
  decoder.memory(instruction.operand(loads ? 1 : 0),
                 loads ? Effects::Memory::load : Effects::Memory::store, transfer.access.memory);
  transfer.access.stride = instruction.operand_count() == 3
                               ? decoder.source(instruction.operand(2), 4)
                               : decoder.constant(matrix.elements_of_line(), 4);
  for (unsigned i = 0; i < transfer.count; ++i) {
    transfer.registers[i] = loads ? decoder.destination(registers[i], transfer.register_bytes)
                                  : decoder.source(registers[i], transfer.register_bytes);
  }
  op.detail = decoder.program().keep(std::move(transfer));
  op.execute = loads ? load_fragment : store_fragment;
}

// --- Multiplication ---

// How they are in memory the fragments do not tell any more; but elements of less than a byte have
// one way only.
void take_layouts(Instruction& instruction, Element type) {
  const std::string_view a = instruction.require_one_of({"row", "col"}, "layout of A");
  const std::string_view b = instruction.require_one_of({"row", "col"}, "layout of B");
  if (tensor::bits_of(type) < 8 && (a != "row" || b != "col")) {
    refuse_as_ptxas("has a layout that elements of less than a byte do not have");
  }
}

// wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.dtype{.atype.btype}.ctype{.satfinite} d, a, b,
// c wmma.mma.op.popc.sync.aligned.row.col.shape.s32.b1.b1.s32 d, a, b, c
void decode_multiplication(Decoder& decoder, Instruction& instruction, Operation& op,
                           const Definition&) {
  for (const std::string_view name : {"sync", "aligned"}) instruction.require(name);
  const MatrixModifiers modifiers = take_matrix_modifiers(instruction);
  if (modifiers.a != modifiers.b || !has_form(matrix_instruction("wmma.mma"), modifiers)) {
    refuse_as_ptxas("has types and a shape that do not go together on sm_90a");
  }
  Multiplication multiplication;
  tensor::Product& product = multiplication.product;
  product = product_of(modifiers, false);
  // ptxas makes four of it, of half of the columns and half of k.
  if (product.a == Element::tf32) product.block = 4;
  take_layouts(instruction, product.a);
  take_arithmetic_modifiers(instruction, product);
  instruction.expect_operands(4);
  multiplication.fragments = wmma_fragments(product.a, modifiers.shape);
  multiplication.type_of_c = accumulator_named(modifiers.c);
  multiplication.type_of_d = accumulator_named(modifiers.d);
  decode_matrices(decoder, instruction,
                  {wmma_factor_registers(product.a, multiplication.fragments.a.cells),
                   wmma_factor_registers(product.b, multiplication.fragments.b.cells)},
                  multiplication);
  set_multiplication(decoder, op, multiplication);
}

constexpr Definition table[] = {
    {"wmma.load.a wmma.load.b wmma.load.c", decode_transfer<true>},
    {"wmma.store.d", decode_transfer<false>},
    {"wmma.mma", decode_multiplication},
};

}  // namespace

std::span<const Definition> wmma_definitions() {
  return table;
}

}  // namespace tmaemu
