// The two compressions that nvcc uses inside fat binaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/result.h"

namespace tmaemu::fatbin {

// Longer than any PTX; keeps a malformed header from asking for all of the memory.
inline constexpr std::uint64_t max_unpacked_bytes = std::uint64_t{256} << 20;

// Each unpacks to exactly `size` bytes, or says why it cannot.
common::Result<std::string> unpack_lz4(std::span<const std::byte> packed, std::uint64_t size);
common::Result<std::string> unpack_zstandard(std::span<const std::byte> packed, std::uint64_t size);

}  // namespace tmaemu::fatbin
