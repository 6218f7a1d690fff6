// Why a runner gave no answer.
#pragma once

#include <chrono>

#include "judge/verdict.h"

namespace judge {

struct Ending {
  enum class Kind { kExited, kSignalled, kTimedOut, kBadReply };
  Kind kind = Kind::kExited;
  int code = 0;                       // exit code, signal, or the status of the bad reply
  std::chrono::milliseconds limit{};  // of what timed out

  static Ending timed_out(std::chrono::milliseconds limit) { return {Kind::kTimedOut, 0, limit}; }
  static Ending bad_reply(int status) { return {Kind::kBadReply, status, {}}; }
};

// The verdict on the submission that the runner held, with the ending in words.
Outcome outcome(const Ending& ending);

}  // namespace judge
