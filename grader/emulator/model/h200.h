// The numbers of an H200, as cudaDeviceGetAttribute and its manuals give them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tmaemu::h200 {

inline constexpr int sm_count = 132;
inline constexpr int max_threads_per_sm = 2048;
inline constexpr int max_ctas_per_sm = 32;
inline constexpr int max_threads_per_cta = 1024;
// An SM's registers belong to its four parts, each of which runs a quarter of a CTA's warps. They
// are given to warps, in units.
inline constexpr std::size_t registers_per_sm = 65536;
inline constexpr std::size_t parts_of_sm = 4;
inline constexpr std::size_t register_unit = 256;
inline constexpr std::size_t barriers_per_sm = 64;
inline constexpr std::size_t shared_unit = 128;                  // bytes: a CTA gets a multiple
inline constexpr std::size_t shared_bytes_per_sm = 233472;       // 228 KiB
inline constexpr std::size_t max_shared_bytes_per_cta = 232448;  // 227 KiB, opt-in
inline constexpr std::size_t default_shared_bytes_per_cta = 49152;
inline constexpr std::size_t reserved_shared_bytes_per_cta = 1024;
// Of the reserved bytes: what cooperative groups keep for tiles of several warps. All zeros when a
// CTA starts. (cooperative_groups/details/memory.h asks for 288 bytes; where they lie is ours.)
inline constexpr std::size_t cooperative_groups_offset = 512;
inline constexpr std::size_t cooperative_groups_bytes = 288;
inline constexpr std::size_t max_local_bytes_per_thread = std::size_t{512} << 10;
inline constexpr std::size_t max_parameter_bytes = 32764;
inline constexpr std::size_t max_parameter_bytes_before_ptx_8_1 = 4352;
inline constexpr std::size_t constant_bytes = 65536;            // of a module's .const variables
inline constexpr std::uint64_t global_bytes = 150'109'880'320;  // about 139.8 GiB
inline constexpr int max_cluster_size = 8;  // CTAs, of a cluster that any device of sm_90 takes
inline constexpr std::uint32_t largest_cluster = 16;  // with the non-portable attribute

}  // namespace tmaemu::h200
