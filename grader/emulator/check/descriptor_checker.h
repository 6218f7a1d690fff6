// Descriptors of wgmma that do not fit the tile that a tensor map has laid where they point: PTX
// ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", and "Tensor swizzling modes".
// TMA takes the pattern of its swizzle from the address in shared memory, and so does wgmma where
// the base offset is 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class DescriptorChecker {
 public:
  DescriptorChecker(ClusterState& state, const AccessChecker& accesses)
      : state_(state), accesses_(accesses) {}

  void start() { tiles_.clear(); }
  // A load lays a tile.
  void issue(const events::Bulk& bulk);
  // It has to be looked at before others write there.
  void issue(const events::WarpgroupProduct& product);

 private:
  struct Tile {
    std::uint32_t swizzle = 0;    // in bytes; 0: none
    std::uint32_t row_bytes = 0;  // 0: not known
    std::uint32_t site = 0;
    ThreadId thread;
  };
  // What is said of a mismatch.
  struct Mismatch {
    Sentence sentence;
    Values values;  // behind the bytes
  };

  void check_offsets(const events::WarpgroupProduct& product, const events::MatrixInShared& matrix,
                     const char* name);
  void check(const events::WarpgroupProduct& product, const events::MatrixInShared& matrix);
  static std::optional<Mismatch> find_mismatch(const Tile& tile,
                                               const events::MatrixInShared& matrix);

  ClusterState& state_;
  const AccessChecker& accesses_;
  std::map<std::uint32_t, Tile> tiles_;  // by the number of the operation
};

}  // namespace tmaemu::check
