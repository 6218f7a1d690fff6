"""The functions that synchronize, and what each can be weakened to: the course's interface, the hazard programs'
ptx.h, and CUDA's own."""

from __future__ import annotations

from dataclasses import dataclass, field

# "f" replaces the name; "f<+1>" adds one to the template argument; a text with "{0}" replaces the whole call, {0} being
# its first argument.
WEAKER: dict[str, tuple[str, ...]] = {
    # CUDA
    "__syncthreads": ("__syncwarp",),
    "__threadfence": ("__threadfence_block",),
    # fences, of both headers
    "async_proxy_fence": ("async_proxy_fence_shared", "async_proxy_fence_global", "__threadfence"),
    "async_proxy_fence_shared": ("async_proxy_fence_global",),
    "async_proxy_fence_global": ("async_proxy_fence_shared",),
    "fence_proxy_async": ("fence_proxy_async_shared", "fence_proxy_async_global", "fence_gpu"),
    "fence_proxy_async_shared": ("fence_proxy_async_global", "fence_gpu"),
    "fence_proxy_async_shared_cluster": ("fence_proxy_async_shared", "fence_proxy_async_global"),
    "fence_proxy_async_global": ("fence_proxy_async_shared", "fence_gpu"),
    "fence_barrier_init": ("__threadfence_block",),
    "fence_gpu": ("fence_cluster", "fence_cta"),
    "fence_cluster": ("fence_cta",),
    # bulk groups
    "tma_wait_until_pending": ("tma_wait_until_pending_read", "tma_wait_until_pending<+1>"),
    "tma_store_wait_until_pending": ("tma_store_wait_until_pending_read", "tma_store_wait_until_pending<+1>"),
    "tma_wait_until_pending_read": ("tma_wait_until_pending_read<+1>",),
    "tma_store_wait_until_pending_read": ("tma_store_wait_until_pending_read<+1>",),
    "wait_group": ("wait_group_read", "wait_group<+1>"),
    "wait_group_read": ("wait_group_read<+1>",),
    # cp.async
    "cp_async_wait_group": ("cp_async_wait_group<+1>",),
    "cp_async_wait": ("cp_async_wait<+1>",),
    "cp_async_wait_all": ("cp_async_wait<1>",),
    # groups of products
    "wgmma_wait": ("wgmma_wait<+1>",),
    "wait_products": ("wait_products<+1>",),
    # mbarriers
    "prepare_barrier": (
        "if (threadIdx.x == 0) init_barrier({0}, {1}); __syncthreads()",
        "if (threadIdx.x == 0) init_barrier({0}, {1})",
        "if (threadIdx.x == 0) init_barrier({0}, {1}); __syncwarp()",
    ),
    "arrive": ("arrive_relaxed",),
    "arrive_remote": ("arrive_remote_cta",),
    "expect_bytes_and_arrive": ("expect_bytes_and_arrive_relaxed", "expect_bytes"),
    "arrive_and_expect": ("expect",),
    "wait": ("wait_relaxed", "(void)try_wait"),
    "wait_cluster": ("wait",),
    "test_wait": ("test_wait_relaxed",),
    "test_wait_cluster": ("test_wait",),
    "try_wait": ("try_wait_relaxed",),
    "try_wait_cluster": ("try_wait",),
    "wait_parity": ("wait_parity_relaxed", "(void)try_wait"),
    "wait_state": ("(void)try_wait_state",),
    "wait_parity_cluster": ("wait_parity", "wait_parity_relaxed"),
    # clusters
    "cluster_arrive": ("cluster_arrive_relaxed",),
    "cluster_sync": ("cluster_arrive_relaxed(); cluster_wait()", "__syncthreads"),
    # flags and counters
    "store_release": ("store_relaxed",),
    "load_acquire": ("load_relaxed",),
    "add_release": ("add_relaxed",),
    "wait_for_flag": ("while (load_relaxed({0}) != {1}) {{ }}", "(void)load_acquire({0})"),
    "named_barrier_sync": ("__syncwarp()", "named_barrier_arrive"),
}

# Those that are dropped, moved and doubled, too, beyond those above.
OTHERS = frozenset(
    [
        *["__syncwarp", "__threadfence_block", "fence_cta"],
        *["tma_commit_group", "tma_store_commit_group", "commit_group", "cp_async_commit_group", "cp_async_commit"],
        *["init_barrier", "invalidate_barrier", "arrive_relaxed", "arrive_many", "arrive_token", "arrive_and_drop"],
        *["expect", "expect_bytes", "expect_bytes_remote", "expect_bytes_and_arrive_remote", "complete_bytes"],
        *["expect_bytes_and_arrive_token", "arrive_and_expect_remote", "complete_bytes_remote", "cp_async_arrive"],
        *["try_wait_state", "test_wait_token", "try_wait_token", "wait_parity_relaxed", "try_wait_relaxed"],
        *["cluster_wait", "cluster_arrive_relaxed", "named_barrier_arrive"],
        *["warpgroup_arrive", "wgmma_commit", "warpgroup_sync", "arrive_remote_after_reads"],
        *["fence_registers", "commit_products"],
        *["release_maps", "acquire_map", "copy_and_release_map", "tensor_map_fence_acquire"],
        *["tensor_map_fence_release", "wait_for_earlier_kernels", "let_dependents_start", "sync"],
    ]
)

# Copies: only the stage in their arguments is changed.
COPIES = frozenset(
    [
        *["load_bulk", "load_bulk_multicast", "store_bulk", "reduce_add_bulk", "copy_bulk_to_cta", "load_tile"],
        *["load_tile_multicast", "store_tile", "reduce_add_tile", "store_async", "add_async", "cp_async_16"],
        *["cp_async_4", "cp_async_16_zero_fill", "cp_async_bulk_global_to_shared", "cp_async_bulk_shared_to_global"],
        *["cp_async_bulk_global_to_shared_multicast", "cp_async_bulk_shared_to_remote_shared"],
        *[f"cp_async_bulk_tensor_{n}d_{way}" for n in range(1, 6) for way in ("global_to_shared", "shared_to_global")],
    ]
)


@dataclass(frozen=True)
class Numbers:
    """Which arguments are a parity, and which a number that may be one step too large."""

    parity: int | None = None
    steps: dict[int, int] = field(default_factory=dict)  # argument to step


NUMBERS: dict[str, Numbers] = {
    **{
        name: Numbers(parity=1)
        for name in (
            *["wait", "wait_cluster", "test_wait", "test_wait_cluster", "try_wait", "try_wait_cluster"],
            *["wait_parity", "wait_parity_cluster", "wait_parity_relaxed", "try_wait_relaxed"],
        )
    },
    **{
        name: Numbers(steps={1: 16})
        for name in (
            *["expect", "expect_bytes", "expect_bytes_remote", "expect_bytes_and_arrive", "arrive_and_expect"],
            *["expect_bytes_and_arrive_remote", "arrive_and_expect_remote", "complete_bytes"],
        )
    },
    "init_barrier": Numbers(steps={1: 1}),
    "prepare_barrier": Numbers(steps={1: 1}),
    "arrive": Numbers(steps={1: 1}),
    "arrive_many": Numbers(steps={1: 1}),
    "named_barrier_sync": Numbers(steps={0: 1, 1: 32}),
    "named_barrier_arrive": Numbers(steps={0: 1, 1: 32}),
    "wait_for_flag": Numbers(steps={1: -1}),
}

SYNCHRONIZES = frozenset(WEAKER) | OTHERS
NAMES = SYNCHRONIZES | COPIES
