// A lab's judge: the trusted process. Makes inputs, knows answers, times, decides; see options.cpp
// for the command line and report.h for what it writes. Each lab has a program of its own, in which
// its checks are all of the tests.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "common/text.h"
#include "judge/memory/cuda_device.h"
#include "judge/report/verdict_listener.h"
#include "judge/session/own_memory.h"
#include "judge/session/session.h"

namespace {

int fault(const std::string& message) {
  std::fprintf(stderr, "judge: %s\n", message.c_str());
  return 2;
}

common::Status check_options(const judge::Options& options, const judge::DeviceFacts& device) {
  if (access(options.submission.c_str(), R_OK) != 0) {
    return common::Error{"cannot read " + options.submission};
  }
  if (options.bandwidth && device.emulated) {
    return common::Error{
        common::concat("--bandwidth needs a GPU: the device here is ", device.name,
                       ", and the time it takes says nothing about the bandwidth of the hardware")};
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody reads the verdicts of a grader that was killed
  // Where there is no sandbox, /proc would show a runner of the same user this process's memory.
  prctl(PR_SET_DUMPABLE, 0);
  auto options = judge::parse_options(argc, argv);
  if (!options) return fault(options.error().message);
  if (options->help) {
    std::fputs(judge::usage, stdout);
    return 0;
  }
  auto device = judge::CudaDevice::open();
  if (!device) return fault(device.error().message);

  // GoogleTest gets no command line of its own: what runs is decided by the judge's options.
  int no_arguments = 1;
  testing::InitGoogleTest(&no_arguments, argv);
  const bool times = options->bandwidth || device->facts().emulated;
  GTEST_FLAG_SET(filter, times ? "*" : "-*_bandwidth.*");

  if (auto usable = check_options(*options, device->facts()); !usable) {
    return fault(usable.error().message);
  }
  judge::limit_own_memory(device->facts().emulated ? judge::own_memory_bytes
                                                   : judge::own_memory_bytes_with_gpu);
  judge::keep_own_memory();
  judge::Session session(*options, *device);

  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new judge::VerdictListener(session.report(), options->output));
  // Its return value says whether all verdicts were passes; that is not the judge's exit code.
  [[maybe_unused]] const int verdicts = RUN_ALL_TESTS();

  for (const std::string& message : session.report().faults) fault(message);
  return session.report().faults.empty() ? 0 : 2;
}
