// runner: the untrusted process. The judge starts it; it loads one submission and calls it.
//     runner path/to/submission.so
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "runner/channel.h"
#include "runner/worker.h"

namespace {

// The judge may be killed without a chance to tidy up, and a crashing submission must not fill the
// disk with core files.
void confine() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: runner SUBMISSION.so (started by the judge)\n");
    return 2;
  }
  confine();
  auto channel = runner::Channel::open();
  if (!channel) {
    std::fprintf(stderr, "runner: %s\n", channel.error().message.c_str());
    return 2;
  }
  runner::Worker worker(argv[1]);
  while (const auto request = channel->next_request()) channel->reply(worker.obey(*request));
  // The judge is gone or has let go: no destructor of the submission is owed anything.
  std::_Exit(0);
}
