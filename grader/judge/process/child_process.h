// A child in its own process group, with its output captured and its death noticed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "judge/process/ending.h"
#include "judge/process/file_descriptor.h"
#include "judge/process/output_capture.h"

namespace judge {

class ChildProcess {
 public:
  // A file that the child gets under a number of the caller's choice.
  struct Inherited {
    int file;
    int as;
  };

  // Starts `command` (its first word a path). The child gets standard input from /dev/null, its two
  // outputs captured, and of the judge's files only `inherited`, whose numbers `as` go up by one.
  // `third_output`: the number after those, under which it finds one more output to be captured.
  static common::Result<ChildProcess> start(const std::vector<std::string>& command,
                                            const std::vector<Inherited>& inherited,
                                            std::optional<int> third_output = {});

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess() { kill(); }

  pid_t pid() const { return pid_; }
  // Readable for poll() once the child is dead.
  int death_descriptor() const { return death_.get(); }
  // How it died, once it has. Does not wait.
  std::optional<Ending> death() const;
  // Ends the child and all of its process group, and waits until the kernel has taken it down,
  // with what a sandbox held.
  void kill();

  OutputCapture& standard_output() { return standard_output_; }
  OutputCapture& standard_error() { return standard_error_; }
  // Without one it is at its end.
  OutputCapture& third_output() { return third_output_; }

 private:
  ChildProcess(pid_t pid, FileDescriptor death, FileDescriptor output, FileDescriptor error,
               FileDescriptor third)
      : pid_(pid),
        death_(std::move(death)),
        standard_output_(std::move(output)),
        standard_error_(std::move(error)),
        third_output_(std::move(third)) {}

  pid_t pid_;  // 0 once it has been reaped
  FileDescriptor death_;
  OutputCapture standard_output_;
  OutputCapture standard_error_;
  OutputCapture third_output_;
};

}  // namespace judge
