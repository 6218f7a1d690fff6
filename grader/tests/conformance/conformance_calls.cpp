// The conformance suite of wrong calls: the code that a GPU's driver answers to each, and what the
// device says afterward.
//
//   conformance_calls record FILE   writes a line a call
//   conformance_calls check FILE    compares
//
// A line is a number and the call: "1 0 cudaMalloc(nullptr, 16)" returned 1, and a synchronization
// after it 0. A signal in the call is told as its negative number: "-11 0". Where the driver
// itself crashes, any error is right.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "tests/conformance/run.h"
#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

struct Answer {
  int code;
  int afterward;
};

constexpr int unanswered = -1000;
constexpr unsigned most_seconds_a_call = 10;

std::vector<WrongCall> all_calls() {
  std::vector<WrongCall> calls;
  for (const auto& part : {wrong_memory_calls(), wrong_copy_calls(), wrong_stream_calls(),
                           wrong_capture_calls(), wrong_graph_calls(), wrong_device_calls(),
                           wrong_launch_calls(), wrong_driver_calls(), wrong_module_calls()}) {
    calls.insert(calls.end(), part.begin(), part.end());
  }
  return calls;
}

// Makes calls from `first` on, until one has ended the context: what is wrong with one must not
// answer for the next.
void make_calls(const std::vector<WrongCall>& calls, std::size_t first, Answer* answers) {
  for (std::size_t i = first; i < calls.size(); ++i) {
    alarm(most_seconds_a_call);
    Things things;
    const int code = calls[i].make(things);
    answers[i] = {code, static_cast<int>(cudaDeviceSynchronize())};
    cudaGetLastError();
    if (answers[i].afterward != 0) _exit(0);
  }
}

// A process makes as many calls as it survives.
std::size_t make_calls_in_child(const std::vector<WrongCall>& calls, std::size_t first,
                                Answer* answers) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(3);
    if (std::getenv("WRONG_CALLS_VERBOSE") == nullptr &&
        std::freopen("/dev/null", "w", stderr) == nullptr)
      _exit(3);
    make_calls(calls, first, answers);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::size_t next = first;
  while (next < calls.size() && answers[next].code != unanswered) ++next;
  if (next < calls.size() && (WIFSIGNALED(status) || next == first)) {
    answers[next++] = {WIFSIGNALED(status) ? -WTERMSIG(status) : -999, 0};
  }
  return next;
}

// `told` hears of each answer in turn: whoever ends this process keeps what is there.
std::vector<Answer> answer_all(const std::vector<WrongCall>& calls,
                               const std::function<void(std::size_t, Answer)>& told) {
  auto* const answers = static_cast<Answer*>(shared_memory(calls.size() * sizeof(Answer)));
  for (std::size_t i = 0; i < calls.size(); ++i) answers[i] = {unanswered, 0};
  for (std::size_t next = 0; next < calls.size();) {
    const std::size_t first = next;
    next = make_calls_in_child(calls, first, answers);
    for (std::size_t i = first; i < next; ++i) told(i, answers[i]);
  }
  return {answers, answers + calls.size()};
}

std::string line_of(const WrongCall& call, const Answer& answer) {
  return std::to_string(answer.code) + ' ' + std::to_string(answer.afterward) + ' ' + call.text;
}

// Formatting changes the white space of a call's text.
std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Compares; where the recorded answer is a signal, any error will do.
bool is_right(const std::string& recorded, const WrongCall& call, const Answer& answer) {
  if (without_spaces(recorded) == without_spaces(line_of(call, answer))) return true;
  return recorded.starts_with('-') && answer.code > 0 &&
         without_spaces(recorded).ends_with(without_spaces(call.text));
}

int check(const std::vector<WrongCall>& calls, const char* path) {
  std::ifstream file(path);
  const std::vector<Answer> answers = answer_all(calls, [](std::size_t, Answer) {});
  std::size_t different = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::string recorded;
    std::getline(file, recorded);
    if (is_right(recorded, calls[i], answers[i])) continue;
    ++different;
    std::printf("recorded  %s\nanswered  %s\n", recorded.c_str(),
                line_of(calls[i], answers[i]).c_str());
  }
  std::printf("wrong calls: %zu answered, %zu differ\n", calls.size(), different);
  return different == 0 ? 0 : 1;
}

int record(const std::vector<WrongCall>& calls, const char* path) {
  std::ofstream file(path);
  answer_all(calls,
             [&](std::size_t i, Answer answer) { file << line_of(calls[i], answer) << std::endl; });
  return file ? 0 : 3;
}

}  // namespace
}  // namespace conformance

int main(int count, char** words) {
  const auto calls = conformance::all_calls();
  if (count == 3 && std::strcmp(words[1], "record") == 0) {
    return conformance::record(calls, words[2]);
  }
  if (count == 3 && std::strcmp(words[1], "check") == 0) {
    return conformance::check(calls, words[2]);
  }
  std::fprintf(stderr, "usage: conformance_calls record FILE | check FILE\n");
  return 2;
}
