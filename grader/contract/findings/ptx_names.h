// What helps say where the course's header is not in use: its functions, and the instructions of
// PTX that each of them is.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace tmaemu {

struct NameInPtx {
  std::string_view course;
  std::string_view ptx;
};

// Where one name is part of another, the longer one comes first.
inline constexpr std::array names_in_ptx{
    NameInPtx{"async_proxy_fence_global()", "fence.proxy.async.global"},
    NameInPtx{"async_proxy_fence()", "fence.proxy.async"},
    NameInPtx{"tma_store_commit_group()", "cp.async.bulk.commit_group"},
    NameInPtx{"tma_store_wait_until_pending_read<N>()", "cp.async.bulk.wait_group.read N"},
    NameInPtx{"tma_store_wait_until_pending_read<0>()", "cp.async.bulk.wait_group.read 0"},
    NameInPtx{"tma_store_wait_until_pending<0>()", "cp.async.bulk.wait_group 0"},
    NameInPtx{"expect_bytes_and_arrive()", "mbarrier.arrive.expect_tx"},
    NameInPtx{"expect_bytes_and_arrive", "mbarrier.arrive.expect_tx"},
    NameInPtx{"expect_bytes()", "mbarrier.expect_tx"},
    NameInPtx{"init_barrier()", "mbarrier.init"},
    NameInPtx{"fence_barrier_init()", "fence.mbarrier_init.release.cluster"},
    NameInPtx{"cluster_arrive()", "barrier.cluster.arrive"},
    NameInPtx{"cluster_wait()", "barrier.cluster.wait"},
    NameInPtx{"cluster_rank()", "%cluster_ctarank"},
    NameInPtx{"elect_one_lane() (elect.sync)", "elect.sync"},
    NameInPtx{"wait_cluster()", "mbarrier.try_wait.acquire.cluster"},
    NameInPtx{"tensor_map_fence_acquire(map)", "fence.proxy.tensormap::generic.acquire of the map"},
    NameInPtx{"tensor_map_fence_release()", "fence.proxy.tensormap::generic.release"},
    NameInPtx{"make_tensor_map()", "cuTensorMapEncodeTiled()"},
    NameInPtx{"warpgroup_arrive()", "wgmma.fence"},
    NameInPtx{"wgmma_commit()", "wgmma.commit_group"},
    NameInPtx{"wgmma_wait<N>()", "wgmma.wait_group N"},
    NameInPtx{"wgmma_wait<0>()", "wgmma.wait_group 0"},
    NameInPtx{" and accumulators_changed(d),", ","},  // no instruction: for the compiler alone
    NameInPtx{", and accumulators_changed(d),", ","},
    NameInPtx{"warpgroup_reg_alloc<N>()", "setmaxnreg.inc"},
    NameInPtx{"warpgroup_reg_dealloc<N>()", "setmaxnreg.dec"},
    NameInPtx{"make_smem_desc<SWIZZLE>()",
              "bits 62 and 63: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32"},
    NameInPtx{"cp_async_bulk_global_to_shared(smem_dest, src, ...)",
              "cp.async.bulk.shared::cluster.global"},
    NameInPtx{"cp_async_bulk_shared_to_global(dest, smem_src, ...)",
              "cp.async.bulk.global.shared::cta"},
    NameInPtx{"make_smem_desc() takes bytes", "the descriptor has bytes divided by 16"},
};

// The help, or the pattern of one, in PTX's words.
inline std::string in_ptx(std::string_view help) {
  constexpr std::string_view calls = "calls ";
  std::string text;
  while (!help.empty()) {
    const bool is_called = help.starts_with(calls);
    const std::string_view name = is_called ? help.substr(calls.size()) : help;
    const NameInPtx* found = nullptr;
    for (const NameInPtx& each : names_in_ptx) {
      if (found == nullptr && name.starts_with(each.course)) found = &each;
    }
    if (found == nullptr) {
      text += help.front();
      help.remove_prefix(1);
      continue;
    }
    if (is_called) text += "executes ";
    text += found->ptx;
    help = name.substr(found->course.size());
  }
  return text;
}

}  // namespace tmaemu
