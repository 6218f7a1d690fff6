// Why a runner gave no answer.
#pragma once

#include <chrono>
#include <string>
#include <utility>

namespace judge {

struct Ending {
  enum class Kind { exited, signaled, timed_out, bad_reply, over_limit };
  Kind kind = Kind::exited;
  int code = 0;                       // exit code, signal, or the status of the bad reply
  std::chrono::milliseconds limit{};  // of what timed out
  std::string excess{};               // what it used too much of, in words

  static Ending timed_out(std::chrono::milliseconds limit) {
    return {Kind::timed_out, 0, limit, {}};
  }
  static Ending bad_reply(int status) { return {Kind::bad_reply, status, {}, {}}; }
  static Ending over_limit(std::string excess) {
    Ending ending;
    ending.kind = Kind::over_limit;
    ending.excess = std::move(excess);
    return ending;
  }
};

}  // namespace judge
