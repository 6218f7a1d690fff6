// Tiles that the engine swizzles, and that are read as if they had been swizzled in another way: as
// if the pattern began with a tile that begins in the middle of it, since the engine takes the
// pattern from the bits of the address; or with another swizzle than their map's. Who reads a tile
// as if it had none may mean it: a sum does not ask for the order. PTX ISA, "Tensor swizzling
// modes"; CUDA C++ Programming Guide, "The Swizzle Modes": a pattern repeats every 1024 bytes for a
// swizzle of 128.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class SwizzleChecker {
 public:
  SwizzleChecker(ClusterState& state, const AccessChecker& accesses)
      : state_(state), accesses_(accesses) {}

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
    std::uint32_t operation = 0;
    std::uint32_t site = 0;
    ThreadId thread;
    // The bytes after which the pattern begins again.
    std::uint32_t repeat() const { return swizzle * 8; }
  };

  void look(const events::Access& access);
  // Whether the lanes read what its load has brought, and nobody has written over.
  bool is_of(const Tile& tile, const events::Access& access) const;
  void report(const Tile& tile, const events::Access& access, Sentence sentence, Values values);

  ClusterState& state_;
  const AccessChecker& accesses_;
  std::vector<Tile> tiles_;
};

}  // namespace tmaemu::check
