// Tiles that the engine swizzles and that do not begin where the pattern of the swizzle does. The
// engine takes the pattern from the bits of the address. Who counts rows from the beginning of such
// a tile reads other elements than it means. PTX ISA, "Tensor swizzling modes"; CUDA C++
// Programming Guide, "The Swizzle Modes": a pattern repeats every 1024 bytes for a swizzle of 128.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class SwizzleChecker {
 public:
  explicit SwizzleChecker(ClusterState& state) : state_(state) {}

  void start() { tiles_.clear(); }
  // A load brings a tile.
  void issue(const events::Bulk& bulk);
  // Lanes read shared memory.
  void access(const events::Access& access) {
    if (!tiles_.empty()) look(access);
  }

 private:
  struct Tile {
    std::uint32_t begin = 0;  // shared::cluster address
    std::uint32_t end = 0;
    std::uint32_t swizzle = 0;  // in bytes
    std::uint32_t site = 0;
    ThreadId thread;
    // The bytes after which the pattern begins again.
    std::uint32_t repeat() const { return swizzle * 8; }
    // Where in the tile the element that lies at the address is, if the pattern begins at `origin`.
    std::uint32_t unswizzled(std::uint32_t address, std::uint32_t origin) const;
  };

  void look(const events::Access& access);
  void report(const Tile& tile, const events::Access& access);

  ClusterState& state_;
  std::vector<Tile> tiles_;
};

}  // namespace tmaemu::check
