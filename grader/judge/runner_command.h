// The one place that decides what is started to hold a submission.
#pragma once

#include <string>
#include <vector>

namespace judge {

struct RunnerFiles {
  std::string runner;      // the runner's binary
  std::string submission;  // the student's library
};

// The command line of a runner. A sandbox is put in front of it here, and nowhere else: it must
// pass on the descriptors of runner/protocol.h and keep the child in the process group that it is
// started in.
std::vector<std::string> runner_command(const RunnerFiles& files);

}  // namespace judge
