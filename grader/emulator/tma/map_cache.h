// Tensor maps in the clear, by the bytes they were decoded from: a kernel uses few maps, thousands
// of times each.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

#include "emulator/tma/tensor_map.h"

namespace tmaemu {

class TensorMapCache {
 public:
  struct Maps {
    std::shared_ptr<const tma::TensorMap> read;     // as loads see it
    std::shared_ptr<const tma::TensorMap> written;  // TensorMap::as_written
  };

  // Null where these 128 bytes were not seen lately.
  const Maps* find(const std::byte* opaque) const {
    for (const Entry& entry : entries_) {
      const bool is_used = entry.maps.read != nullptr;
      if (is_used && std::memcmp(entry.opaque.data(), opaque, entry.opaque.size()) == 0) {
        return &entry.maps;
      }
    }
    return nullptr;
  }
  const Maps& insert(const std::byte* opaque, const tma::TensorMap& map) {
    Entry& entry = entries_[next_++ % entries_.size()];
    std::memcpy(entry.opaque.data(), opaque, entry.opaque.size());
    entry.maps = {std::make_shared<tma::TensorMap>(map),
                  std::make_shared<tma::TensorMap>(map.as_written())};
    return entry.maps;
  }

 private:
  struct Entry {
    std::array<std::byte, tma::opaque_bytes> opaque{};
    Maps maps;
  };
  std::array<Entry, 4> entries_{};
  std::size_t next_ = 0;
};

}  // namespace tmaemu
