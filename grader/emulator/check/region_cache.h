// The allocations of global memory, for who looks at one again and again.
#pragma once

#include <cstdint>

#include "emulator/memory/global_memory.h"

namespace tmaemu::check {

class RegionCache {
 public:
  explicit RegionCache(const GlobalMemory& memory) : memory_(memory) {}

  // The allocation that holds the address; null where there is none.
  const Region* find(std::uint64_t address) {
    if (last_ == nullptr || frees_ != memory_.frees() || !last_->contains(address, 1)) {
      last_ = memory_.find(address);
      frees_ = memory_.frees();
    }
    return last_;
  }

 private:
  const GlobalMemory& memory_;
  const Region* last_ = nullptr;
  std::uint64_t frees_ = 0;  // when it was looked up
};

}  // namespace tmaemu::check
