// runner: the untrusted process. The judge starts it; it loads one submission and calls it.
//     runner path/to/submission.so [--replay | --unchecked-replay]
#include <signal.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "runner/channel.h"
#include "runner/confinement.h"
#include "runner/emulator.h"
#include "runner/replay.h"
#include "runner/worker.h"

namespace {

int failed(const common::Error& error) {
  std::fprintf(stderr, "runner: %s\n", error.message.c_str());
  return 2;
}

std::unique_ptr<runner::Worker> make_worker(const char* submission, bool replays) {
  if (replays) return std::make_unique<runner::Replay>(submission);
  return std::make_unique<runner::Worker>(submission);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[2] : "";
  const bool is_unchecked = mode == "--unchecked-replay";
  const bool replays = mode == "--replay" || is_unchecked;
  if (argc != 2 && !replays) {
    std::fprintf(stderr,
                 "usage: runner SUBMISSION.so [--replay | --unchecked-replay] (started by the "
                 "judge)\n");
    return 2;
  }
  runner::leave_judges_limit();
  if (auto weak = runner::give_up_capabilities(); !weak) return failed(weak.error());
  // A replay's memory is nobody's business, the least that of the runner with the submission.
  if (replays) prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the judge may be killed without a chance to tidy up
  auto channel = runner::Channel::open();
  if (!channel) return failed(channel.error());
  const bool records =
      !replays && runner::find_in_emulator<decltype(tmaemu_record)>("tmaemu_record");
  const auto threads = records ? runner::MoreThreads::refused : runner::MoreThreads::allowed;
  if (records) setenv("TMAEMU_THREADS", "1", 1);
  if (is_unchecked) setenv("TMAEMU_CHECK", "off", 1);
  const auto worker = make_worker(argv[1], replays);
  while (const auto request = channel->next_request()) {
    const protocol::Reply reply = worker->obey(*request);
    if (request->command == protocol::Command::initialize) {
      if (auto confined = runner::confine(threads); !confined) return failed(confined.error());
    }
    channel->reply(reply);
  }
  // The judge is gone or has let go: no destructor of the submission is owed anything.
  std::_Exit(0);
}
