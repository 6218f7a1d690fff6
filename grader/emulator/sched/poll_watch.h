// Tells a cluster that polls in vain forever from one that counts how often it has, and gives up.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "emulator/sched/cluster.h"

namespace tmaemu {

class PollWatch {
 public:
  // The cluster had a turn in which it made no progress; `only_polled`: and did nothing but poll.
  // True where threads poll, and nothing but another cluster can end that: each warp comes back to
  // registers and pcs that it had before, and where warps wait or ask, none has come to others for
  // several laps. They may meet at barriers, wake from try_waits and compute in the meantime.
  bool is_stuck_after_turn(const Cluster& cluster, bool only_polled);
  // The cluster made progress.
  void start_again() { *this = {}; }
  // It did not, but is later now, which threads may see by a clock.
  void look_again();

 private:
  struct Watched {
    std::unordered_set<std::uint64_t> stops;  // states in which it waited, or had asked
    unsigned repeats = 0;                     // of those, since a warp had another one
    std::unordered_set<std::uint64_t>
        ends;                // states in which its turn was over, of who never stops
    bool came_back = false;  // to one of these
  };

  void begin_look();
  bool all_come_back(const Cluster& cluster);
  // Looks at the warp once more. True where it stopped in a state in which it had not stopped
  // before.
  static bool does_something_new(const Warp& warp, Watched& watched);

  std::uint64_t polls_alone_ = 0;  // turns of nothing else
  std::uint64_t effort_ = 0;       // what has been executed since it made progress, in such turns
  std::uint64_t next_look_ = 0;
  unsigned looks_left_ = 0;
  std::uint64_t polls_ = 0;  // of the cluster, when the watch began
  bool is_stuck_ = false;
  std::vector<Watched> warps_;
};

}  // namespace tmaemu
