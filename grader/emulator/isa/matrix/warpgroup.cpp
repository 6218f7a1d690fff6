// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions": wgmma.mma_async, and what orders and
// awaits it.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/matrix/sparse.h"
#include "emulator/isa/matrix/turned_signs.h"
#include "emulator/isa/matrix/warpgroup_form.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/memory/address_space.h"
#include "emulator/sched/cluster.h"
#include "emulator/tensor/multiply.h"
#include "emulator/tensor/shared_matrix.h"

namespace tmaemu {
namespace {

constexpr unsigned rows_of_warp = 16;

const WarpgroupForm& form_of(const Operation& op) {
  return *static_cast<const WarpgroupForm*>(op.detail);
}

Warpgroup& group_of(Warp& warp) {
  return warp.cta().warpgroup(warp);
}

// All lanes are needed, and four warps: the instructions are .sync.aligned. False where some lanes
// are still on their way; `next` is where those go on that are here.
bool is_whole_warpgroup(Warp& warp, const Operation& op, LaneMask lanes, const Operation*& next) {
  if (!is_whole_warp(warp, op, lanes, next)) return false;
  if (!group_of(warp).is_complete()) warp.fault(op, 0, Sentence::part_of_warpgroup);
  return true;
}

// --- The matrices ---

tensor::SharedMatrix matrix_a(const WarpgroupForm& form, u64 descriptor) {
  return {tensor::MatrixDescriptor(descriptor), form.is_a_transposed};
}
tensor::SharedMatrix matrix_b(const WarpgroupForm& form, u64 descriptor) {
  return {tensor::MatrixDescriptor(descriptor), form.is_b_transposed};
}
u32 first_row_of(const Warp& warp) {
  return warp.index() % warps_of_warpgroup * rows_of_warp;
}

// Memory to work in, for one product after another.
struct Workspace {
  std::array<std::byte, rows_of_warp * WarpgroupForm::a_row_bytes> a;
  std::vector<std::byte> b;
  std::array<u8, rows_of_warp * tensor::most_products> kept;
  std::vector<u32> sums;
  std::vector<u32> units_of_a, units_of_b;  // that are read, for observers
};
Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

// Flips the signs of all elements.
void negate(tensor::Element type, std::span<std::byte> bytes) {
  const std::size_t step = tensor::bits_of(type) / 8;
  for (std::size_t i = step - 1; i < bytes.size(); i += step) bytes[i] ^= std::byte{0x80};
}

bool is_without_swizzle(const tensor::SharedMatrix& matrix) {
  return matrix.descriptor().swizzle == Swizzle::none;
}

// Whether the launch has the signs turned of some of this one's products.
bool turns_signs(const Warp& warp, const WarpgroupProduct& product) {
  const WarpgroupForm& form = form_of(*product.op);
  switch (warp.cta().cluster.launch.turned_signs.products) {
    case TurnedProducts::none:
    case TurnedProducts::handed_over:
      return false;
    case TurnedProducts::all:
      return true;
    case TurnedProducts::from_registers:
      return form.is_a_in_registers;
    case TurnedProducts::without_swizzle:
      return is_without_swizzle(matrix_b(form, product.b)) ||
             (!form.is_a_in_registers && is_without_swizzle(matrix_a(form, product.a)));
  }
  return false;
}

void pack_a(Warp& warp, const WarpgroupProduct& product, std::span<std::byte> rows) {
  const WarpgroupForm& form = form_of(*product.op);
  if (form.is_a_in_registers) {
    gather_factors(*product.frame, factors_of_16_rows(4), form.a, 4, rows.data(),
                   WarpgroupForm::a_row_bytes);
  } else {
    matrix_a(form, product.a)
        .pack(warp.cta().shared.async(), first_row_of(warp), rows_of_warp,
              WarpgroupForm::a_row_bytes, rows.data());
  }
  if (form.is_negative) negate(form.product.a, rows);
}

void pack_b(Warp& warp, const WarpgroupProduct& product, std::vector<std::byte>& rows) {
  const WarpgroupForm& form = form_of(*product.op);
  const unsigned n = form.product.n;
  rows.resize(std::size_t{n} * form.b_row_bytes());
  matrix_b(form, product.b).pack(warp.cta().shared.async(), 0, n, form.b_row_bytes(), rows.data());
}

// The warp's part of D.
void multiply_part(Warp& warp, const WarpgroupProduct& product, bool is_right_behind) {
  const WarpgroupForm& form = form_of(*product.op);
  const unsigned n = form.product.n;
  Workspace& space = workspace();
  pack_a(warp, product, space.a);
  if (!is_right_behind) pack_b(warp, product, space.b);
  space.sums.resize(std::size_t{rows_of_warp} * n);
  const Fragment fragment = accumulators_of_16_rows(n);
  const tensor::Accumulator type = form.product.accumulator;
  if (product.accumulates) {
    gather_sums(*product.frame, fragment, form.d, type, n, space.sums.data());
  } else {
    std::ranges::fill(space.sums, 0);
  }
  tensor::KeptColumns kept;
  if (form.product.is_sparse) {
    find_kept_columns(form.product, product.frame->lanes<u32>(form.metadata), form.selector,
                      space.kept.data());
    kept = {space.kept.data(), form.product.k};
  }
  const tensor::PackedRows a{space.a.data(), WarpgroupForm::a_row_bytes};
  const tensor::PackedRows b{space.b.data(), form.b_row_bytes()};
  if (turns_signs(warp, product)) {
    multiply_turning_signs(warp.cta().cluster.launch.turned_signs.key, form.product, a, b, kept,
                           space.sums.data());
  } else {
    tensor::multiply(form.product, a, b, kept, space.sums.data());
  }
  scatter_sums(*product.frame, fragment, form.d, type, n, space.sums.data());
}

// --- Issue ---

void require_in_shared_memory(Warp& warp, const Operation& op, const tensor::SharedMatrix& matrix,
                              u32 first_line, u32 lines, u32 bytes, const char* name) {
  const SharedMemory& shared = warp.cta().shared;
  matrix.for_each_unit(first_line, lines, bytes, [&](u32 address) {
    if (shared.contains(address, tensor::SharedMatrix::unit_bytes)) return;
    warp.fault(op, 0, Sentence::matrix_outside_shared_memory, {name, address, shared.size()});
  });
}

events::MatrixInShared told(const tensor::SharedMatrix& matrix, u32 own, u32 lines,
                            u32 line_bytes) {
  const tensor::MatrixDescriptor& descriptor = matrix.descriptor();
  events::MatrixInShared told;
  told.start = own | descriptor.start;
  told.leading = descriptor.leading;
  told.stride = descriptor.stride;
  told.base_offset = descriptor.base_offset;
  told.swizzle_bytes = descriptor.swizzle == Swizzle::none ? 0 : swizzle_span(descriptor.swizzle);
  told.uses_leading = matrix.uses_leading(lines);
  told.uses_stride = matrix.uses_stride(lines);
  told.is_transposed = matrix.is_transposed();
  told.lines = lines;
  told.line_bytes = line_bytes;
  return told;
}

std::span<const u32> list_units(const tensor::SharedMatrix& matrix, u32 own, u32 first_line,
                                u32 lines, u32 bytes, std::vector<u32>& list) {
  list.resize(std::size_t{lines} * bytes / tensor::SharedMatrix::unit_bytes);
  u32* next = list.data();
  matrix.for_each_unit(first_line, lines, bytes, [&](u32 address) { *next++ = own | address; });
  return list;
}

// `is_first`: of the warps of its warpgroup.
void tell_issue(Warp& warp, const WarpgroupProduct& product, bool is_first) {
  Observer* const observer = warp.cta().cluster.observer();
  if (observer == nullptr) return;
  const WarpgroupForm& form = form_of(*product.op);
  const u32 own = warp.cta().rank << cta_rank_shift;
  events::WarpgroupProduct event;
  event.warp = warp.id();
  event.site = product.op->site;
  event.number = static_cast<u32>(group_of(warp).issued(warp));
  if (!form.is_a_in_registers) {
    event.own_units = list_units(matrix_a(form, product.a), own, first_row_of(warp), rows_of_warp,
                                 WarpgroupForm::a_row_bytes, workspace().units_of_a);
  }
  event.common_units = list_units(matrix_b(form, product.b), own, 0, form.product.n,
                                  form.b_row_bytes(), workspace().units_of_b);
  event.is_first_of_warps = is_first;
  events::MatrixInShared a, b;
  if (is_first) {
    if (!form.is_a_in_registers) {
      a = told(matrix_a(form, product.a), own, warps_of_warpgroup * rows_of_warp,
               WarpgroupForm::a_row_bytes);
      event.a = &a;
    }
    b = told(matrix_b(form, product.b), own, form.product.n, form.b_row_bytes());
    event.b = &b;
  }
  event.frame = product.frame;
  event.accumulates = product.accumulates;
  event.results = form.d;
  if (form.is_a_in_registers) event.factors = form.a;
  observer->issues_product(event);
}

const Operation* issue(Warp& warp, const Operation& op, LaneMask lanes) {
  const WarpgroupForm& form = form_of(op);
  const Operation* next = &op + 1;
  if (!is_whole_warpgroup(warp, op, lanes, next)) return next;
  WarpgroupProduct product{multiply_part, &op, &warp.frame()};
  if (!form.is_a_in_registers) {
    product.a = *warp.lanes<u64>(form.a[0]);
    require_in_shared_memory(warp, op, matrix_a(form, product.a), first_row_of(warp), rows_of_warp,
                             WarpgroupForm::a_row_bytes, "A");
  }
  product.b = *warp.lanes<u64>(form.b);
  if (form.product.is_sparse) {
    require_defined_metadata(warp, op, form.product, warp.lanes<u32>(form.metadata), form.selector,
                             false);
  }
  product.accumulates = (warp.predicate(form.scale_d) & 1) != (form.is_scale_d_negated ? 1u : 0u);
  const bool is_first = group_of(warp).is_first_to_issue(warp);
  if (is_first) {
    require_in_shared_memory(warp, op, matrix_b(form, product.b), 0, form.product.n,
                             form.b_row_bytes(), "B");
  }
  if (!group_of(warp).issue(warp, product)) {
    warp.fault(op, 0, Sentence::warps_multiply_apart);
  }
  tell_issue(warp, product, is_first);
  group_of(warp).go_on(warp);
  return &op + 1;
}

void decode_product(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const WarpgroupForm& form = *decoder.program().keep(decode_warpgroup_form(decoder, instruction));
  for (const Slot slot : form.d) decoder.note_asynchronous_use(slot);
  if (form.is_a_in_registers) {
    for (const Slot slot : form.a) decoder.note_asynchronous_use(slot);
  }
  op.detail = &form;
  op.execute = issue;
  decoder.effects().product = &form.product;
  decoder.effects().goes_on = true;
  decoder.program().uses_async_proxy = true;
  decoder.effects().acts = true;
}

// --- Order ---

const Operation* fence(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* next = &op + 1;
  if (!is_whole_warpgroup(warp, op, lanes, next)) return next;
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->fences_registers(warp.id(), op.site);
  }
  return &op + 1;
}

const Operation* commit_group(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* next = &op + 1;
  if (!is_whole_warpgroup(warp, op, lanes, next)) return next;
  group_of(warp).commit(warp);
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->commits_products(warp.id(), op.site);
  }
  return &op + 1;
}

const Operation* wait_group(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* next = &op + 1;
  if (!is_whole_warpgroup(warp, op, lanes, next)) return next;
  Warpgroup& group = group_of(warp);
  const u64 count = group.awaited(warp, static_cast<u32>(op.immediate));
  if (!group.have_all_issued(count)) {
    if (group.ended_before(count) != nullptr) {
      warp.fault(op, 0, Sentence::warp_of_warpgroup_ended);
    }
    return warp.block(op, lanes, {Wait::Kind::warpgroup, 0, 0, count}, &op);
  }
  group.complete(warp, count);
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->awaits_products(
        {warp.id(), op.site, static_cast<u32>(count), static_cast<u32>(op.immediate)});
  }
  return &op + 1;
}

// wgmma.{fence,commit_group}.sync.aligned
template <Handler handler>
void decode_plain(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  for (const std::string_view name : {"sync", "aligned"}) instruction.require(name);
  instruction.expect_operands(0);
  op.execute = handler;
}

// wgmma.wait_group.sync.aligned n
void decode_wait_group(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  for (const std::string_view name : {"sync", "aligned"}) instruction.require(name);
  instruction.expect_operands(1);
  op.immediate = static_cast<s64>(constant_operand(instruction, 0, "number of groups"));
  op.execute = wait_group;
}

constexpr Definition table[] = {
    {"wgmma.mma_async", decode_product},
    {"wgmma.fence", decode_plain<fence>},
    {"wgmma.commit_group", decode_plain<commit_group>},
    {"wgmma.wait_group", decode_wait_group},
};

}  // namespace

std::span<const Definition> warpgroup_definitions() {
  return table;
}

}  // namespace tmaemu
