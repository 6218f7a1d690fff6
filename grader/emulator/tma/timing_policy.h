// When asynchronous operations happen, within what PTX allows.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"
#include "common/split_mix.h"

namespace tmaemu {

// An operation may happen at any moment between the earliest and the latest legal one. `late` (the
// grader's choice) delivers a load only when somebody can go no further without it, and reads a
// store's source only when its group is waited for; `early` acts at once; `random` in between. A
// program that is right is right under all of them.
struct TimingPolicy {
  enum class Kind : std::uint8_t { late, early, random };
  Kind kind = Kind::late;
  std::uint64_t seed = 0;
  // "late", "early" or "random:SEED", as TMAEMU_ASYNC holds it.
  static common::Result<TimingPolicy> parse(const std::string& text);
};

// Whether an operation that may happen now does, asked again and again: never under `late`, at once
// under `early`, and as a coin falls in between.
class Moments {
 public:
  Moments() = default;
  // `sequence`: each has other coins.
  Moments(const TimingPolicy& policy, std::uint64_t sequence)
      : kind_(policy.kind), state_(common::seed_of_sequence(policy.seed, sequence)) {}

  bool is_now() {
    if (kind_ != TimingPolicy::Kind::random) return kind_ == TimingPolicy::Kind::early;
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 63) != 0;
  }

 private:
  TimingPolicy::Kind kind_ = TimingPolicy::Kind::late;
  std::uint64_t state_ = 0;
};

}  // namespace tmaemu
