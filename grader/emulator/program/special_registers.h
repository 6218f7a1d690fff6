// PTX's special registers that keep one value from a CTA's start to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tmaemu {

// Registers whose values the hardware provides. PTX ISA, "Special Registers".
enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  reserved_smem_offset_1,  // the scratch memory of cooperative groups
  grid_workspace_high,     // %envreg1 and %envreg2 (cooperative_groups/details/driver_abi.h)
  grid_workspace_low,
  shared_symbol,  // address of a shared variable: `value` is its offset, the CTA's rank is added
  local_symbol,   // address of a local variable: `value` is its offset, the frame's base is added
};

// "%tid.x" to Special::tid_x. Registers that change while a CTA runs (%clock, %globaltimer) are not
// among them: the instruction that reads those asks the clock.
std::optional<Special> special_from_name(std::string_view name);

}  // namespace tmaemu
