#pragma once

#include <cstdint>

namespace tmaemu {

// What the thread of a finding does with the bytes.
enum class BytesUse : std::uint8_t { reads, writes, loads_into };

}  // namespace tmaemu
