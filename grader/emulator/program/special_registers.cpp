#include "emulator/program/special_registers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tmaemu {
namespace {

constexpr std::array special_names{
    std::pair{std::string_view{"%tid.x"}, Special::tid_x},
    std::pair{std::string_view{"%tid.y"}, Special::tid_y},
    std::pair{std::string_view{"%tid.z"}, Special::tid_z},
    std::pair{std::string_view{"%ntid.x"}, Special::ntid_x},
    std::pair{std::string_view{"%ntid.y"}, Special::ntid_y},
    std::pair{std::string_view{"%ntid.z"}, Special::ntid_z},
    std::pair{std::string_view{"%ctaid.x"}, Special::ctaid_x},
    std::pair{std::string_view{"%ctaid.y"}, Special::ctaid_y},
    std::pair{std::string_view{"%ctaid.z"}, Special::ctaid_z},
    std::pair{std::string_view{"%nctaid.x"}, Special::nctaid_x},
    std::pair{std::string_view{"%nctaid.y"}, Special::nctaid_y},
    std::pair{std::string_view{"%nctaid.z"}, Special::nctaid_z},
    std::pair{std::string_view{"%laneid"}, Special::laneid},
    std::pair{std::string_view{"%warpid"}, Special::warpid},
    std::pair{std::string_view{"%nwarpid"}, Special::nwarpid},
    std::pair{std::string_view{"%smid"}, Special::smid},
    std::pair{std::string_view{"%nsmid"}, Special::nsmid},
    std::pair{std::string_view{"%gridid"}, Special::gridid},
    std::pair{std::string_view{"%lanemask_eq"}, Special::lanemask_eq},
    std::pair{std::string_view{"%lanemask_le"}, Special::lanemask_le},
    std::pair{std::string_view{"%lanemask_lt"}, Special::lanemask_lt},
    std::pair{std::string_view{"%lanemask_ge"}, Special::lanemask_ge},
    std::pair{std::string_view{"%lanemask_gt"}, Special::lanemask_gt},
    std::pair{std::string_view{"%clusterid.x"}, Special::clusterid_x},
    std::pair{std::string_view{"%clusterid.y"}, Special::clusterid_y},
    std::pair{std::string_view{"%clusterid.z"}, Special::clusterid_z},
    std::pair{std::string_view{"%nclusterid.x"}, Special::nclusterid_x},
    std::pair{std::string_view{"%nclusterid.y"}, Special::nclusterid_y},
    std::pair{std::string_view{"%nclusterid.z"}, Special::nclusterid_z},
    std::pair{std::string_view{"%cluster_ctaid.x"}, Special::cluster_ctaid_x},
    std::pair{std::string_view{"%cluster_ctaid.y"}, Special::cluster_ctaid_y},
    std::pair{std::string_view{"%cluster_ctaid.z"}, Special::cluster_ctaid_z},
    std::pair{std::string_view{"%cluster_nctaid.x"}, Special::cluster_nctaid_x},
    std::pair{std::string_view{"%cluster_nctaid.y"}, Special::cluster_nctaid_y},
    std::pair{std::string_view{"%cluster_nctaid.z"}, Special::cluster_nctaid_z},
    std::pair{std::string_view{"%cluster_ctarank"}, Special::cluster_ctarank},
    std::pair{std::string_view{"%cluster_nctarank"}, Special::cluster_nctarank},
    std::pair{std::string_view{"%is_explicit_cluster"}, Special::is_explicit_cluster},
    std::pair{std::string_view{"%dynamic_smem_size"}, Special::dynamic_smem_size},
    std::pair{std::string_view{"%total_smem_size"}, Special::total_smem_size},
    std::pair{std::string_view{"%aggr_smem_size"}, Special::aggr_smem_size},
    std::pair{std::string_view{"%reserved_smem_offset_1"}, Special::reserved_smem_offset_1},
    std::pair{std::string_view{"%envreg1"}, Special::grid_workspace_high},
    std::pair{std::string_view{"%envreg2"}, Special::grid_workspace_low},
};

}  // namespace

std::optional<Special> special_from_name(std::string_view name) {
  const auto found =
      std::ranges::find(special_names, name, &decltype(special_names)::value_type::first);
  if (found == special_names.end()) return std::nullopt;
  return found->second;
}

}  // namespace tmaemu
