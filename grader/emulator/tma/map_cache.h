// Tensor maps in the clear, by the bytes they were decoded from: a kernel uses few maps, thousands
// of times each.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "emulator/tma/tensor_map.h"

namespace tmaemu {

class TensorMapCache {
 public:
  // Null where these 128 bytes were not seen lately.
  const tma::TensorMap* find(const std::byte* opaque) const {
    for (const Entry& entry : entries_) {
      const bool is_used = entry.map.rank != 0;
      if (is_used && std::memcmp(entry.opaque.data(), opaque, entry.opaque.size()) == 0) {
        return &entry.map;
      }
    }
    return nullptr;
  }
  const tma::TensorMap& insert(const std::byte* opaque, const tma::TensorMap& map) {
    Entry& entry = entries_[next_++ % entries_.size()];
    std::memcpy(entry.opaque.data(), opaque, entry.opaque.size());
    entry.map = map;
    return entry.map;
  }

 private:
  struct Entry {
    std::array<std::byte, 128> opaque{};
    tma::TensorMap map;
  };
  std::array<Entry, 4> entries_{};
  std::size_t next_ = 0;
};

}  // namespace tmaemu
