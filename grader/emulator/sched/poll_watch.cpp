#include "emulator/sched/poll_watch.h"

#include <algorithm>

namespace tmaemu {
namespace {

// Turns of polls before it is looked at closely, and again after as many.
constexpr unsigned turns_between_looks = 10'000;
// A turn in which more is done than polling counts as so many.
constexpr unsigned effort_of_a_turn = 64;
// Turns of a look. A turn may end anywhere in a loop, so it takes many until one ends where another
// did.
constexpr unsigned turns_of_a_look = 512;
// Who counts further than this is taken for somebody who never gives up.
constexpr unsigned most_polls = 1u << 23;

}  // namespace

bool PollWatch::is_stuck_after_turn(const Cluster& cluster, bool only_polled) {
  if (is_stuck_) return true;
  if (effort_ == 0) {
    polls_ = cluster.polls();
    next_look_ = turns_between_looks;
  }
  effort_ += only_polled ? 1 : effort_of_a_turn;
  polls_alone_ += only_polled ? 1 : 0;
  if (cluster.polls() == polls_) return false;  // who computes for long, and asks for nothing
  if (effort_ >= next_look_) {
    next_look_ = effort_ + turns_between_looks;
    looks_left_ = turns_of_a_look;
    warps_.clear();
  }
  if (looks_left_ != 0) {
    --looks_left_;
    is_stuck_ = all_came_back(cluster);
  }
  return is_stuck_ || polls_alone_ >= most_polls;
}

void PollWatch::look_again() {
  is_stuck_ = false;
  polls_alone_ = 0;
  looks_left_ = turns_of_a_look;
  warps_.clear();
}

bool PollWatch::all_came_back(const Cluster& cluster) {
  std::size_t index = 0;
  for (const auto& cta : cluster.ctas) {
    for (const auto& warp : cta->warps) {
      if (warps_.size() == index) warps_.emplace_back();
      Watched& watched = warps_[index++];
      if (watched.came_back) continue;
      const std::uint64_t state = warp->checksum();
      watched.came_back = std::ranges::find(watched.states, state) != watched.states.end();
      watched.states.push_back(state);
    }
  }
  return std::ranges::all_of(warps_, &Watched::came_back);
}

}  // namespace tmaemu
