#include "emulator/sched/poll_watch.h"

#include <algorithm>

namespace tmaemu {
namespace {

// Rounds of polls before it is looked at closely, and again after as many.
constexpr unsigned rounds_between_looks = 10'000;
// Rounds of a look. A warp has as many polls to come back to where it was.
constexpr unsigned rounds_of_a_look = 32;
// Who counts further than this is taken for somebody who never gives up.
constexpr unsigned most_rounds = 1u << 23;

}  // namespace

bool PollWatch::is_stuck_after_round(const Cluster& cluster) {
  if (is_stuck_ || ++rounds_ < rounds_between_looks) return is_stuck_;
  const unsigned round = rounds_ % rounds_between_looks;
  if (round == 0) {
    look(cluster);
  } else if (round <= rounds_of_a_look) {
    is_stuck_ = all_came_back(cluster);
  }
  return is_stuck_ || rounds_ >= most_rounds;
}

void PollWatch::look(const Cluster& cluster) {
  warps_.clear();
  for (const auto& cta : cluster.ctas) {
    for (const auto& warp : cta->warps) warps_.push_back({warp->checksum(), warp->finished()});
  }
}

bool PollWatch::all_came_back(const Cluster& cluster) {
  auto watched = warps_.begin();
  for (const auto& cta : cluster.ctas) {
    for (const auto& warp : cta->warps) {
      watched->came_back = watched->came_back || warp->checksum() == watched->state;
      ++watched;
    }
  }
  return std::ranges::all_of(warps_, &Watched::came_back);
}

}  // namespace tmaemu
