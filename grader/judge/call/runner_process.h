// The judge's end of the protocol: a running runner that can be asked things, and that is believed
// nothing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/result.h"
#include "contract/protocol/protocol.h"
#include "judge/process/child_process.h"
#include "judge/process/ending.h"
#include "judge/process/file_descriptor.h"
#include "judge/process/watchdog.h"

namespace judge {

struct Answer {
  protocol::Reply reply;
  std::chrono::nanoseconds elapsed{};  // request published to reply seen, by the judge's clock
};

// How long to wait for an answer, and how much of that awake: a timed request should not pay for
// being woken up.
struct Patience {
  std::chrono::milliseconds limit;
  std::chrono::milliseconds awake{0};
};

class RunnerProcess {
 public:
  // `files` are more for it to inherit, under the numbers of contract/protocol/protocol.h.
  static common::Result<RunnerProcess> start(
      const std::vector<std::string>& command, const UsageLimits& limits = {},
      const std::vector<ChildProcess::Inherited>& files = {});
  // A replay: it has an output for findings besides.
  static common::Result<RunnerProcess> start_replay(
      const std::vector<std::string>& command, const std::vector<ChildProcess::Inherited>& files);

  // Sends the request and waits for its reply. After an Ending the runner is of no more use.
  std::variant<Answer, Ending> ask(const protocol::Request& request, Patience patience);

  struct Printed {
    std::string output;
    std::string error;
    std::string findings;  // a replay's: lines of JSON
  };
  // What the runner has printed since it was last asked for it.
  Printed take_printed();

 private:
  static common::Result<RunnerProcess> start(const std::vector<std::string>& command,
                                             const UsageLimits& limits,
                                             const std::vector<ChildProcess::Inherited>& files,
                                             std::optional<int> findings);

  struct Unmap {
    void operator()(protocol::Page* page) const;
  };
  using PagePointer = std::unique_ptr<protocol::Page, Unmap>;

  RunnerProcess(ChildProcess child, PagePointer page, FileDescriptor doorbell, UsageLimits limits)
      : child_(std::move(child)),
        page_(std::move(page)),
        doorbell_(std::move(doorbell)),
        limits_(limits) {}

  // How the runner ended that has used too much. Looks once in a while, however often it is asked.
  std::optional<Ending> over_limit();

  void sleep_until_something_happens(std::chrono::milliseconds limit);

  ChildProcess child_;
  PagePointer page_;
  FileDescriptor doorbell_;
  UsageLimits limits_;
  std::chrono::steady_clock::time_point next_look_{};
  std::uint32_t sequence_ = 0;
};

}  // namespace judge
