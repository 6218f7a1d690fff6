// When asynchronous operations happen, within what PTX allows.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"

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

}  // namespace tmaemu
