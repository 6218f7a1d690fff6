// Which bytes of a piece of memory the TMA engine has read, and which it has written. Each counts
// once as read and once as written: whoever moves the same bytes again has moved no more of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmaemu {

class Coverage {
 public:
  enum class Access : std::uint8_t { read, write };

  // Of memory of `size` bytes, none of which has been read or written.
  explicit Coverage(std::size_t size);

  // Bytes [offset, offset + size). Several host threads may be here at once.
  void add(Access access, std::size_t offset, std::size_t size);
  // Bytes read plus bytes written since clear().
  std::uint64_t bytes() const;
  void clear();

 private:
  // A bit for each 16 bytes: where the engine begins is a multiple of that (PTX ISA, cp.async.bulk
  // and cp.async.bulk.tensor). Where a tensor's row ends between two of them, the rest counts too.
  static constexpr std::size_t granule = 16;
  using Bits = std::vector<std::atomic<std::uint64_t>>;

  Bits read_;
  Bits written_;
};

}  // namespace tmaemu
