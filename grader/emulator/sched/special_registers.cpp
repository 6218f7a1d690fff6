#include "emulator/sched/special_registers.h"

#include <algorithm>
#include <stdexcept>

#include "emulator/memory/address_space.h"
#include "emulator/model/h200.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// What a CTA was given of shared memory, in the hardware's units of allocation; the reserved
// kilobyte is not counted (measured on an H200).
std::uint64_t allocated_shared_bytes(const Launch& launch) {
  constexpr std::uint64_t unit = 128;
  const std::uint64_t bytes = launch.shared_bytes - h200::reserved_shared_bytes_per_cta;
  return (bytes + unit - 1) / unit * unit;
}

// The value of a register that all lanes of a warp share. No `default`: the compiler refuses a
// switch without one of them, and none is silently 0.
std::uint64_t uniform_value(const Warp& warp, const Cta& cta, const SpecialSlot& special) {
  const LaunchRequest& request = *cta.cluster.launch.request;
  const Dimensions& block = request.block;
  const Dimensions& grid = request.grid;
  const Dimensions& cluster = request.cluster;
  switch (special.which) {
    case Special::ntid_x:
      return block.x;
    case Special::ntid_y:
      return block.y;
    case Special::ntid_z:
      return block.z;
    case Special::ctaid_x:
      return cta.id.x;
    case Special::ctaid_y:
      return cta.id.y;
    case Special::ctaid_z:
      return cta.id.z;
    case Special::nctaid_x:
      return grid.x;
    case Special::nctaid_y:
      return grid.y;
    case Special::nctaid_z:
      return grid.z;
    case Special::warpid:
      return warp.index();
    case Special::nwarpid:
      return h200::max_threads_per_sm / warp_size;
    case Special::smid:
      return (cta.id.x + std::uint64_t{grid.x} * (cta.id.y + std::uint64_t{grid.y} * cta.id.z)) %
             cta.cluster.launch.request->sms;
    case Special::nsmid:
      return cta.cluster.launch.request->sms;
    case Special::gridid:
      return cta.cluster.launch.number;
    case Special::clusterid_x:
      return cta.id.x / cluster.x;
    case Special::clusterid_y:
      return cta.id.y / cluster.y;
    case Special::clusterid_z:
      return cta.id.z / cluster.z;
    case Special::nclusterid_x:
      return grid.x / cluster.x;
    case Special::nclusterid_y:
      return grid.y / cluster.y;
    case Special::nclusterid_z:
      return grid.z / cluster.z;
    case Special::cluster_ctaid_x:
      return cta.id.x % cluster.x;
    case Special::cluster_ctaid_y:
      return cta.id.y % cluster.y;
    case Special::cluster_ctaid_z:
      return cta.id.z % cluster.z;
    case Special::cluster_nctaid_x:
      return cluster.x;
    case Special::cluster_nctaid_y:
      return cluster.y;
    case Special::cluster_nctaid_z:
      return cluster.z;
    case Special::cluster_ctarank:
      return cta.rank;
    case Special::cluster_nctarank:
      return cluster.count();
    case Special::is_explicit_cluster:
      return request.explicit_cluster ? 1 : 0;
    case Special::dynamic_smem_size:
      return request.dynamic_shared_bytes;
    case Special::total_smem_size:
      return allocated_shared_bytes(cta.cluster.launch);
    case Special::aggr_smem_size:  // not in units of allocation (measured on an H200)
      return cta.cluster.launch.shared_bytes;
    case Special::reserved_smem_offset_1:
      return h200::cooperative_groups_offset | cta.rank << cta_rank_shift;
    case Special::grid_workspace_high:
      return cta.cluster.launch.grid_workspace >> 32;
    case Special::grid_workspace_low:
      return cta.cluster.launch.grid_workspace & ~std::uint32_t{0};
    case Special::shared_symbol:
      return special.value | cta.rank << cta_rank_shift;
    case Special::local_symbol:
      return special.value;
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      break;  // these differ by lane
  }
  throw std::logic_error("a special register that differs by lane has no value for a warp");
}

std::uint64_t lane_value(Special which, unsigned lane, std::uint32_t linear,
                         const Dimensions& block) {
  const LaneMask own = LaneMask{1} << lane;
  const LaneMask below = own - 1;
  switch (which) {
    case Special::tid_x:
      return linear % block.x;
    case Special::tid_y:
      return linear / block.x % block.y;
    case Special::tid_z:
      return linear / block.x / block.y;
    case Special::laneid:
      return lane;
    case Special::lanemask_eq:
      return own;
    case Special::lanemask_lt:
      return below;
    case Special::lanemask_le:
      return below | own;
    case Special::lanemask_ge:
      return ~below;
    case Special::lanemask_gt:
      return ~(below | own);
    default:
      throw std::logic_error("a special register of a warp has no value for a lane");
  }
}

// The other ones keep their values as long as the warp's frame lives: a launch has one shape.
bool differs_by_cta(Special which) {
  switch (which) {
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::clusterid_x:
    case Special::clusterid_y:
    case Special::clusterid_z:
    case Special::smid:
      return true;
    default:
      return false;
  }
}

bool differs_by_lane(Special which) {
  switch (which) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_lt:
    case Special::lanemask_le:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      return true;
    default:
      return false;
  }
}

template <class T>
void fill(const Warp& warp, Frame& frame, const SpecialSlot& special) {
  const Cta& cta = warp.cta();
  T* const values = frame.lanes<T>(special.slot);
  if (!differs_by_lane(special.which)) {
    std::fill_n(values, warp_size, static_cast<T>(uniform_value(warp, cta, special)));
    return;
  }
  const Dimensions& block = cta.cluster.launch.request->block;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t linear = warp.index() * warp_size + lane;
    values[lane] = static_cast<T>(lane_value(special.which, lane, linear, block));
  }
}

}  // namespace

void fill_special_registers(const Warp& warp, Frame& frame, bool is_new) {
  for (const SpecialSlot& special : frame.function.specials) {
    if (!is_new && !differs_by_cta(special.which)) continue;
    if (special.is_predicate) {
      const bool holds = uniform_value(warp, warp.cta(), special) != 0;
      *frame.lanes<LaneMask>(special.slot) = holds ? all_lanes : 0;
    } else if (special.wide) {
      fill<std::uint64_t>(warp, frame, special);
    } else {
      fill<std::uint32_t>(warp, frame, special);
    }
  }
}

}  // namespace tmaemu
