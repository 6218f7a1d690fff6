#include "judge/process/ending.h"

#include <signal.h>
#include <string.h>

#include "common/text.h"

namespace judge {

using common::concat;

namespace {

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* meaning = sigdescr_np(signal);
  if (name == nullptr || meaning == nullptr) return concat("signal ", signal);
  return concat("SIG", name, " (", meaning, ")");
}

// Shells and bubblewrap exit with 128 + n where the program in them died of signal n.
int signal_in_exit_code(int code) {
  const int signal = code - 128;
  return signal > 0 && sigabbrev_np(signal) != nullptr ? signal : 0;
}

Outcome death_by(int signal) {
  Outcome death{Verdict::crash, concat("the process died of ", signal_text(signal))};
  death.was_killed = signal == SIGKILL;
  return death;
}

}  // namespace

std::string not_finished_after(std::chrono::milliseconds limit) {
  return concat("not finished after ", static_cast<double>(limit.count()) / 1000, " s");
}

Outcome outcome(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::exited:
      if (const int signal = signal_in_exit_code(ending.code)) return death_by(signal);
      return {Verdict::crash,
              concat("the submission ended the process (exit code ", ending.code, ")")};
    case Ending::Kind::signaled:
      return death_by(ending.code);
    case Ending::Kind::timed_out:
      return {Verdict::timeout,
              concat(not_finished_after(ending.limit),
                     "; a wait that never ends (a phase or a byte count that does not fit), or a "
                     "loop without end")};
    case Ending::Kind::bad_reply:
      return {Verdict::crash, concat("the process sent a reply that is none (status ", ending.code,
                                     "): the submission wrote over memory that is not its own")};
    case Ending::Kind::over_limit:
      return {Verdict::crash, concat("ended because it ", ending.excess)};
  }
  return {Verdict::crash, "the process ended"};
}

}  // namespace judge
