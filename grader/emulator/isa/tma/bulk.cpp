#include "emulator/isa/tma/bulk.h"

#include <algorithm>
#include <bit>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"

namespace tmaemu {

MemoryAccess bulk_address(Decoder& decoder, const ptx::Operand& operand, AddressSpace space) {
  MemoryAccess access;
  access.space = space;
  access.address = decoder.memory(operand);
  return access;
}

tma::ReduceOperation take_reduction(Instruction& instruction) {
  using tma::ReduceOperation;
  static constexpr Choice<ReduceOperation> operations[] = {
      {"add", ReduceOperation::add},   {"min", ReduceOperation::min},
      {"max", ReduceOperation::max},   {"inc", ReduceOperation::inc},
      {"dec", ReduceOperation::dec},   {"and", ReduceOperation::bit_and},
      {"or", ReduceOperation::bit_or}, {"xor", ReduceOperation::bit_xor}};
  return instruction.require_one_of(operations, "reduction");
}

void take_multicast(Decoder& decoder, Instruction& instruction, BulkForm& form) {
  form.is_multicast = instruction.take("multicast::cluster");
  if (form.is_multicast) form.multicast = decoder.source(instruction.take_last_operand(), 2);
}

const BulkDirection& take_direction(Instruction& instruction) {
  using Kind = BulkOperation::Kind;
  constexpr std::string_view mbarrier = "mbarrier::complete_tx::bytes";
  static constexpr BulkDirection directions[] = {
      {Kind::global_to_shared, Kind::global_to_shared, "shared::cta", "global", mbarrier},
      {Kind::global_to_shared, Kind::global_to_shared, "shared::cluster", "global", mbarrier},
      {Kind::shared_to_shared, Kind::reduce_to_shared, "shared::cluster", "shared::cta", mbarrier},
      {Kind::shared_to_global, Kind::reduce_to_global, "global", "shared::cta", "bulk_group"},
  };
  const auto names = instruction.untaken();
  for (const BulkDirection& direction : directions) {
    const auto target = std::ranges::find(names, direction.target);
    if (std::find(target, names.end(), direction.source) == names.end()) continue;
    instruction.require(direction.target);
    instruction.require(direction.source);
    instruction.require(direction.completion);
    return direction;
  }
  refuse("names no destination and source that are modeled");
}

void refuse_misaligned(Warp& warp, const Operation& op, unsigned lane, std::uint64_t value,
                       unsigned alignment, std::string_view what) {
  warp.fault(op, lane, Sentence::operand_misaligned, {what, common::hexadecimal(value), alignment});
}

std::uint32_t completion_mbarrier(Warp& warp, const Operation& op, unsigned lane,
                                  const BulkForm& form) {
  const std::uint32_t address = shared_address(warp, op, lane, form.mbarrier, sizeof(std::uint64_t),
                                               {"the mbarrier of a bulk copy"});
  require_multiple(warp, op, lane, address, alignof(std::uint64_t),
                   "the shared address of the mbarrier");
  return address;
}

std::uint16_t multicast_mask(Warp& warp, const Operation& op, unsigned lane, const BulkForm& form,
                             std::uint32_t shared, unsigned bytes) {
  if (!form.is_multicast) return 0;
  const u16 mask = warp.lanes<u16>(form.multicast)[lane];
  const Cluster& cluster = warp.cta().cluster;
  for (u32 rest = mask; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<u32>(std::countr_zero(rest));
    if (cluster.maps(rank << cta_rank_shift | shared_offset(shared), bytes)) continue;
    warp.fault(op, lane, Sentence::multicast_beyond_cluster, {rank, cluster.ctas.size()});
  }
  if (mask == 0) {
    warp.fault(op, lane, Sentence::multicast_mask_empty);
  }
  return mask;
}

}  // namespace tmaemu
