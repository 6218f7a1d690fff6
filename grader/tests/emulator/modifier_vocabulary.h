// The modifiers that PTX has: PTX ISA 9.0, "Instruction Set", and one that it has not.
#pragma once

#include <string_view>

namespace tmaemu::testing {

inline constexpr std::string_view modifier_vocabulary =
    // Types
    "pred b1 b2 b4 b8 b16 b32 b64 b128 b1024 u2 u4 u8 u16 u32 u64 s2 s4 s8 s16 s32 s64 "
    "u8x4 s8x4 u16x2 s16x2 f16 f16x2 bf16 bf16x2 tf32 f32 f32x2 f64 "
    "e4m3 e5m2 e2m1 e2m3 e3m2 ue8m0 e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 ue8m0x2 "
    "e4m3x4 e5m2x4 e2m1x4 e2m3x4 e3m2x4 v2 v4 v8 "
    // State spaces
    "const global local param param::entry param::func shared shared::cta shared::cluster generic "
    // Arithmetic
    "rn rz rm rp rna rs rni rzi rmi rpi ftz noftz sat satfinite relu NaN xorsign abs approx full "
    "oob cc wide lo hi l r wrap clamp shiftamt pack to scaled::n2::ue8m0 "
    // Comparisons and Boolean operations
    "eq ne lt le gt ge ls hs equ neu ltu leu gtu geu num nan and or xor not popc "
    "finite infinite number notanumber normal subnormal "
    // Permutations
    "f4e b4e rc8 ecl ecr rc16 "
    // The order of memory
    "weak volatile mmio relaxed acquire release acq_rel sc cta cluster gpu sys gl "
    "sync_restrict::shared::cta sync_restrict::shared::cluster mbarrier_init "
    "proxy alias async async::generic tensormap tensormap::generic "
    // Caches
    "ca cg cs lu cv wb wt nc L1 L2 L1::evict_normal L1::evict_unchanged L1::evict_first "
    "L1::evict_last L1::no_allocate L2::evict_normal L2::evict_unchanged L2::evict_first "
    "L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B range fractional cvt "
    // Atomic operations
    "add inc dec min max exch cas "
    // Asynchronous copies and tensor maps
    "bulk tensor bulk_group mbarrier::complete_tx::bytes multicast::cluster "
    "multicast::cluster::all unicast cp_mask ignore_oob read noinc reduce prefetch commit_group "
    "wait_group wait_all tile tile::gather4 tile::scatter4 im2col im2col::w im2col::w::128 "
    "im2col_no_offs cta_group::1 cta_group::2 override::global_address 1d 2d 3d 4d 5d replace "
    "cp_fenceproxy global_address rank box_dim global_dim global_stride element_stride elemtype "
    "interleave_layout swizzle_mode swizzle_atomicity fill_mode "
    // Barriers
    "sync aligned arrive arrive_drop wait red warp mbarrier init inval expect_tx complete_tx "
    "noComplete parity test_wait try_wait pending_count "
    // Warps and matrices
    "up down bfly idx all any uni ballot m8n8 m8n16 m16n16 m16n8k16 x1 x2 x4 trans row col "
    "sp sp::ordered_metadata kind::f16 "
    // Textures
    "a1d a2d cube acube base level grad geom unified trap zero "
    // Control flow
    "mask launch_dependents div noreturn "
    "no_such_modifier";

}  // namespace tmaemu::testing
