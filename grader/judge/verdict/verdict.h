// What a test of a submission can come to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/protocol/launched.h"
#include "contract/protocol/measures.h"
#include "judge/verdict/findings.h"

namespace judge {

// Exactly one a test. (A submission that does not build never reaches the judge; a fault of the
// grader is no verdict, it is a common::Error.)
enum class Verdict { pass, fail, crash, timeout, missing, cheated, hazard };

constexpr std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::crash:
      return "crash";
    case Verdict::timeout:
      return "timeout";
    case Verdict::missing:
      return "missing";
    case Verdict::cheated:
      return "cheated";
    case Verdict::hazard:
      return "hazard";
  }
  return "fail";
}

// Which way the work of one case or more was done.
struct Way {
  std::uint64_t input_bytes = 0;  // of the cases' arrays
  std::uint64_t output_bytes = 0;
  tmaemu::Measured measured{};

  Way& operator+=(const Way& other);
};

struct Outcome {
  Verdict verdict = Verdict::pass;
  std::string message;  // what happened, for the student; empty on a pass
  // The result is right, but it has not come the way that the part is about. Only the emulator sees
  // that, and it holds for every device.
  bool bypasses_tma = false;
  // Of a right result, where somebody measures: on the emulator.
  std::optional<Way> way = {};
  std::optional<tmaemu::LaunchedSet> launched = {};  // likewise
  // Device memory that the program has allocated and not freed, in bytes: likewise.
  std::optional<std::uint64_t> memory_in_use = {};
  // The process died of a SIGKILL that was not the judge's.
  bool was_killed = false;
  std::string printed = {};            // by a process that has answered, to its standard output
  std::vector<Finding> findings = {};  // the emulator's; with a pass, remarks alone
};

}  // namespace judge
