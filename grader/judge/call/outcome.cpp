#include "judge/call/outcome.h"

#include <signal.h>
#include <string.h>

#include <algorithm>

#include "common/text.h"
#include "judge/verdict/symbol_name.h"

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

// What CUDA reports when a launch was ended because it never would have: on a GPU by the watchdog,
// on the emulator by its deadlock detection.
constexpr std::int32_t cuda_error_launch_timeout = 702;

// The symbol that the loader misses, in "...: undefined symbol: _Z14launch_add_onePim", or empty.
std::string_view undefined_symbol(std::string_view reason) {
  constexpr std::string_view undefined_symbol_mark = "undefined symbol: ";
  const std::size_t mark = reason.find(undefined_symbol_mark);
  if (mark == std::string_view::npos) return {};
  const std::string_view symbol = reason.substr(mark + undefined_symbol_mark.size());
  return symbol.substr(0, symbol.find_first_of(", "));
}

// cudaMalloc, __cudaRegisterFunction, cuTensorMapEncodeTiled: names that only CUDA's libraries
// define.
bool is_cuda_call(std::string_view symbol) {
  return symbol.starts_with("cuda") || symbol.starts_with("__cuda") ||
         (symbol.starts_with("cu") && symbol.size() > 2 && symbol[2] >= 'A' && symbol[2] <= 'Z');
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

Outcome outcome(const protocol::Reply& reply, const char* launcher, const Device& device) {
  switch (reply.status) {
    case protocol::ReplyStatus::done:
      return {};
    case protocol::ReplyStatus::cuda_error: {
      const bool endless = reply.cuda_error == cuda_error_launch_timeout;
      std::string meaning = device.error_meaning(reply.cuda_error);
      if (reply.text.front() != '\0') meaning += concat("; ", reply.text.data());
      return {endless ? Verdict::timeout : Verdict::crash, std::move(meaning)};
    }
    case protocol::ReplyStatus::missing:
      return {Verdict::missing, concat("the submission does not define `", launcher, "`")};
    default:
      // Also "no such part": who has the submission in its process cannot say what is the grader's
      // fault. (That the entry knows every part is seen with the solutions.)
      return outcome(Ending::bad_reply(static_cast<int>(reply.status)));
  }
}

Outcome not_loaded(std::string_view reason) {
  const std::string_view symbol = undefined_symbol(reason);
  if (symbol.empty() || is_cuda_call(symbol)) {
    return {Verdict::crash, concat("the submission's library does not load: ", reason)};
  }
  return {Verdict::missing,
          concat("the submission declares `", readable_name(symbol), "` but does not define it")};
}

std::string last_words(const RunnerProcess::Printed& printed) {
  constexpr std::size_t max_bytes = 1500;
  constexpr int max_lines = 16;  // what make_tensor_map() says of a map that is refused
  std::string text = printed.error.empty() ? printed.output : printed.error;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.empty()) return {};

  std::size_t begin = text.size() > max_bytes ? text.size() - max_bytes : 0;
  std::size_t line = text.size();
  for (int lines = 0; lines < max_lines && line != std::string::npos && line > 0; ++lines) {
    line = text.rfind('\n', line - 1);
  }
  if (line != std::string::npos && line > 0) begin = std::max(begin, line + 1);
  return "\nit printed last:\n" + text.substr(begin);
}

}  // namespace judge
