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
// How often a warp has to stop where it had stopped before, and nobody has done anything new: a
// value that goes from warp to warp is new to one of them in each lap.
constexpr unsigned laps_without_news = 8;
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
  if (looks_left_ == 0 && effort_ >= next_look_) {
    next_look_ = effort_ + turns_between_looks;
    begin_look();
  }
  if (looks_left_ != 0) {
    --looks_left_;
    is_stuck_ = all_come_back(cluster);
  }
  return is_stuck_ || polls_alone_ >= most_polls;
}

void PollWatch::look_again() {
  is_stuck_ = false;
  polls_alone_ = 0;
  begin_look();
}

void PollWatch::begin_look() {
  looks_left_ = turns_of_a_look;
  warps_.clear();
}

bool PollWatch::does_something_new(const Warp& warp, Watched& watched) {
  if (warp.was_interrupted()) {
    if (!watched.came_back) watched.came_back = !watched.ends.insert(warp.checksum()).second;
    return false;
  }
  if (watched.stops.insert(warp.checksum()).second) return true;
  ++watched.repeats;
  return false;
}

bool PollWatch::all_come_back(const Cluster& cluster) {
  std::size_t index = 0;
  bool is_any_new = false;
  for (const auto& cta : cluster.ctas) {
    for (const auto& warp : cta->warps) {
      if (warps_.size() == index) warps_.emplace_back();
      is_any_new |= does_something_new(*warp, warps_[index++]);
    }
  }
  if (is_any_new) {
    for (Watched& watched : warps_) watched.repeats = 0;
  }
  return std::ranges::all_of(warps_, [](const Watched& watched) {
    return watched.stops.empty() ? watched.came_back
                                 : watched.repeats >= laps_without_news * watched.stops.size();
  });
}

}  // namespace tmaemu
