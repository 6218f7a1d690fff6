#include "emulator/diagnostics/library_findings.h"

#include <algorithm>
#include <string_view>

#include "contract/findings/sentences.h"

namespace tmaemu {
namespace {

// A header is named as programs include it: it may lie in any folder.

// Threads read past their valid items, of shared memory that nobody has written, and drop what they
// have read: the last step of a merge, the sums of warps that do not exist, the rows of a tile that
// lie outside of the matrix.
constexpr std::string_view readers_past_the_end[] = {
    "/cub/block/block_merge_sort.cuh",
    "/cub/block/specializations/block_reduce_warp_reductions.cuh",
    "/cub/block/specializations/block_scan_warp_scans.cuh",
    "/cub/warp/specializations/warp_exchange_smem.cuh",
    "/cutlass/gemm/threadblock/mma_multistage.h",
    "/thrust/system/cuda/detail/set_operations.h",
};

// Items that are not valid have ranks, too, and one slot gets several of them; nobody uses it.
constexpr std::string_view scattering_by_rank = "/cub/warp/specializations/warp_exchange_smem.cuh";

// thrust::remove_if and thrust::unique work in place. A CTA writes where others have read, and
// knows that from the counts that they have published: with relaxed stores, but computed from what
// they read.
constexpr std::string_view compacting_kernels[] = {"DeviceSelectSweepKernel", "UniqueAgent"};
constexpr std::string_view compacting_reads[] = {
    "/cub/thread/thread_load.cuh",
    "/thrust/system/cuda/detail/get_value.h",
};
constexpr std::string_view compacting_write = "/thrust/system/cuda/detail/assign_value.h";

// All lanes of a warp issue the store of a tile, which is the same bytes 32 times. The epilogue for
// arrays of matrices, sm90_epilogue_array_tma_warpspecialized.hpp, elects one.
constexpr std::string_view storing_by_warp =
    "/cutlass/epilogue/collective/sm90_epilogue_tma_warpspecialized.hpp";

bool is_of_one_line(const Finding& finding, const Places& places) {
  return !finding.notes.empty() &&
         places.line(finding.site) == places.of(finding.notes.front()).line(finding.notes[0].site);
}

}  // namespace

bool is_known_of_library(const Finding& finding, const Places& places) {
  const auto stands_in = [&](std::string_view header) {
    return places.stands_in(finding.site, header);
  };
  const auto is_of_kernel = [&](std::string_view name) { return places.is_of_kernel(name); };
  switch (finding.sentence) {
    case Sentence::shared_never_written:
      return std::ranges::any_of(readers_past_the_end, stands_in);
    case Sentence::race_of_writes:
    case Sentence::race_of_writes_by_ctas:
      return stands_in(scattering_by_rank) && is_of_one_line(finding, places);
    case Sentence::race_of_read:
    case Sentence::race_of_read_by_ctas:
      return std::ranges::any_of(compacting_kernels, is_of_kernel) &&
             std::ranges::any_of(compacting_reads, stands_in) && !finding.notes.empty() &&
             places.stands_in(finding.notes.front().site, compacting_write);
    case Sentence::issued_twice:
      return stands_in(storing_by_warp) && is_of_one_line(finding, places);
    default:
      return false;
  }
}

}  // namespace tmaemu
