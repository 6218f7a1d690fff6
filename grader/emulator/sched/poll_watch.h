// Tells a cluster that polls in vain forever from one that counts how often it has, and gives up.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/sched/cluster.h"

namespace tmaemu {

class PollWatch {
 public:
  // One more round has passed in which all that ran were polls in vain. True where nothing but
  // another cluster can end that: each warp comes back to registers and pcs that it had before.
  bool is_stuck_after_round(const Cluster& cluster);
  // The cluster did something else.
  void start_again() { *this = {}; }

 private:
  void look(const Cluster& cluster);
  bool all_came_back(const Cluster& cluster);

  struct Watched {
    std::uint64_t state = 0;
    bool came_back = false;
  };
  unsigned rounds_ = 0;
  bool is_stuck_ = false;
  std::vector<Watched> warps_;
};

}  // namespace tmaemu
