// Which bytes of a piece of memory something has been done to. Each counts once: whoever moves the
// same bytes again has moved no more of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmaemu {

class Coverage {
 public:
  // Of memory of `size` bytes, none of which is covered.
  explicit Coverage(std::size_t size);

  // Covers bytes [offset, offset + size). Several host threads may be here at once.
  void add(std::size_t offset, std::size_t size);
  std::uint64_t bytes() const;

 private:
  // A bit for each 16 bytes: where the TMA engine begins is a multiple of that (PTX ISA,
  // cp.async.bulk and cp.async.bulk.tensor). Where a tensor's row ends between two of them, the
  // rest counts too.
  static constexpr std::size_t granule = 16;

  std::vector<std::atomic<std::uint64_t>> covered_;
};

}  // namespace tmaemu
