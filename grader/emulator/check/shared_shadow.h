// The blocks of the shared memory of a cluster's CTAs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emulator/check/shadow.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

class SharedShadow {
 public:
  explicit SharedShadow(unsigned ctas) : ctas_(ctas) {}

  // Every CTA has so many bytes, and nobody has accessed them.
  void start(std::uint64_t bytes_per_cta) {
    bytes_ = bytes_per_cta;
    for (std::vector<Block>& blocks : ctas_) {
      blocks.clear();
      blocks.resize((bytes_per_cta + block_bytes - 1) / block_bytes);
    }
  }
  // Whether a CTA of the cluster has these bytes; an access to others is a fault.
  bool contains(std::uint32_t address, std::uint64_t bytes) const {
    return shared_rank(address) < ctas_.size() && shared_offset(address) + bytes <= bytes_;
  }
  // The block that the byte lies in; null where no CTA has it.
  const Block* find(std::uint32_t address) const {
    if (!contains(address, 1)) return nullptr;
    return &ctas_[shared_rank(address)][shared_offset(address) / block_bytes];
  }
  // Calls visit(block, address, begin, end) for each block that the bytes lie in, one after
  // another: `begin` and `end` are of the block's bytes, and `address` that of the first of them.
  template <class Visit>
  void for_each_block(std::uint32_t address, std::uint64_t bytes, Visit visit) {
    if (!contains(address, bytes)) return;
    std::vector<Block>& blocks = ctas_[shared_rank(address)];
    for (std::uint64_t done = 0; done < bytes;) {
      const std::uint64_t offset = shared_offset(address) + done;
      const auto begin = static_cast<unsigned>(offset % block_bytes);
      const auto end =
          static_cast<unsigned>(std::min<std::uint64_t>(block_bytes, begin + bytes - done));
      visit(blocks[offset / block_bytes], address + done, begin, end);
      done += end - begin;
    }
  }

 private:
  std::vector<std::vector<Block>> ctas_;  // by rank
  std::uint64_t bytes_ = 0;               // of each
};

}  // namespace tmaemu::check
