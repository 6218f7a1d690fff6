// What the bulk copies of both kinds, plain and tensor, decode and check alike.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/isa/address.h"
#include "emulator/tma/engine.h"

namespace tmaemu {

// Decoded operands; which of them are used depends on the form.
struct BulkForm {
  BulkOperation::Kind kind = BulkOperation::Kind::global_to_shared;
  MemoryAccess shared;  // the tile in the issuing CTA's (or cluster's) shared memory
  MemoryAccess global;  // plain copies: the global address; tensor copies: the tensor map
  MemoryAccess target;  // shared_to_shared: the destination
  MemoryAccess mbarrier;
  Slot size = 0;  // plain copies: bytes
  Slot multicast = 0;
  bool is_multicast = false;
  bool is_paired = false;             // .cta_group::2
  tma::Mode mode = tma::Mode::tiled;  // tensor copies
  std::vector<Slot> coordinates;      // tensor copies: one each dimension
  std::vector<Slot> offsets;          // im2col loads
  bool has_global_side() const {
    return kind != BulkOperation::Kind::shared_to_shared &&
           kind != BulkOperation::Kind::reduce_to_shared;
  }
  tma::ReduceOperation operation = tma::ReduceOperation::add;
  tma::ReduceType type = tma::ReduceType::u32;
};

// An address operand, in the state space that the instruction's form names for it.
// Destinations and mbarriers may lie in another CTA whatever the form is: an H100 takes them.
MemoryAccess bulk_address(Decoder& decoder, const ptx::Operand& operand, AddressSpace space);

// The reduction that a modifier names ("add", "and", ...); refuses where none does.
tma::ReduceOperation take_reduction(Instruction& instruction);

// What a copy's destination and source are, named in this order, and how it completes.
struct BulkDirection {
  BulkOperation::Kind copy;
  BulkOperation::Kind reduction;  // as `copy` where there is none
  std::string_view target, source;
  std::string_view completion;
};

// ".shared::cluster.global.mbarrier::complete_tx::bytes" and the like.
const BulkDirection& take_direction(Instruction& instruction);

// .multicast::cluster and its mask, which is the last operand that is left.
void take_multicast(Decoder& decoder, Instruction& instruction, BulkForm& form);

// Faults with a misaligned address: `value` is no multiple of `alignment`.
[[noreturn]] void refuse_misaligned(Warp& warp, const Operation& op, unsigned lane,
                                    std::uint64_t value, unsigned alignment, std::string_view what);

// `alignment`: a power of two.
inline void require_multiple(Warp& warp, const Operation& op, unsigned lane, std::uint64_t value,
                             unsigned alignment, std::string_view what) {
  if ((value & (alignment - 1)) != 0) refuse_misaligned(warp, op, lane, value, alignment, what);
}

// The mbarrier a copy completes on, checked.
std::uint32_t completion_mbarrier(Warp& warp, const Operation& op, unsigned lane,
                                  const BulkForm& form);

// Checks the multicast mask of a lane and that every CTA it names has `bytes` at `shared`.
std::uint16_t multicast_mask(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                             std::uint32_t shared, unsigned bytes);

}  // namespace tmaemu
