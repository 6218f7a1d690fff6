// In which order the warps of a CTA, the CTAs of a cluster, and clusters that may wait for each
// other have their turns, and for how long. Hardware promises none, so a program that needs one is
// wrong: `--schedule=SEED` makes that show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "common/split_mix.h"

namespace tmaemu {

class TurnOrder {
 public:
  // No seed: in ascending order, each for a whole turn.
  explicit TurnOrder(std::optional<std::uint64_t> seed) : seed_(seed) {}

  // Each CTA and cluster has a sequence of its own, so that results do not depend on which host
  // thread runs it.
  void start(std::uint64_t number, std::size_t count) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    numbers_ = common::SplitMix64(common::seed_of_sequence(seed_.value_or(0), number));
  }
  // The order of the next round.
  const std::vector<std::size_t>& next() {
    if (!seed_) return order_;
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[numbers_.next() % i]);
    return order_;
  }
  // How many operations a turn lasts: `usual`, or anything from a few up to that.
  std::uint64_t turn(std::uint64_t usual) {
    if (!seed_) return usual;
    constexpr std::uint64_t shortest = 8;
    return std::max(shortest, usual >> numbers_.next() % 10);
  }
  // Whether a try_wait gives up at once, as PTX lets it do at any time.
  bool gives_up() { return seed_ && numbers_.next() % 8 == 0; }

 private:
  std::optional<std::uint64_t> seed_;
  common::SplitMix64 numbers_;
  std::vector<std::size_t> order_;
};

}  // namespace tmaemu
