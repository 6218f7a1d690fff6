// The forms of wgmma.mma_async. PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions:
// wgmma.mma_async" and "wgmma.mma_async.sp".
#pragma once

#include <array>
#include <vector>

#include "emulator/isa/matrix/fragments.h"
#include "emulator/program/decoder.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

struct WarpgroupForm {
  tensor::Product product;  // of a warp: 16 of the 64 rows
  std::vector<Slot> d;
  bool is_a_in_registers = false;
  std::array<Slot, 4> a{};  // its registers, or that of its descriptor
  Slot b = 0;
  Slot scale_d = 0;  // a predicate: whether D is added to,
  bool is_scale_d_negated = false;
  bool is_negative = false;  // -A * B
  bool is_a_transposed = false;
  bool is_b_transposed = false;
  // Of sparse forms.
  Slot metadata = 0;
  unsigned selector = 0;

  // Of a row of A and of a column of B, as they lie in memory or registers.
  static constexpr unsigned a_row_bytes = 32;
  unsigned b_row_bytes() const { return product.is_sparse ? 64 : 32; }
};

// wgmma.mma_async{.sp}.sync.aligned.shape{.satfinite}.type of D.type of A.type of B{.and.popc}
//     d, a | a-descriptor, b-descriptor {, metadata, selector}, scale-d
//     {, imm-scale-a, imm-scale-b {, imm-trans-a} {, imm-trans-b}}
WarpgroupForm decode_warpgroup_form(Decoder& decoder, Instruction& instruction);

}  // namespace tmaemu
