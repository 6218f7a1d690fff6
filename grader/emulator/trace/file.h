// The trace of this process: what every launch did and when, in one file.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/result.h"
#include "emulator/trace/json.h"
#include "emulator/trace/observer.h"

namespace tmaemu::trace {

class TraceFile {
 public:
  // Opens TMAEMU_TRACE, in which %p is the number of the process, so that it is known at once if it
  // cannot be written.
  static common::Result<TraceFile*> open(const std::string& file);

  void add(const Program& program, const LaunchRequest& request, const Places& places,
           LaunchTracer& tracer);
  // Ends the file.
  void close();

 private:
  TraceFile(std::FILE* out, std::string file);

  std::FILE* out_;
  std::string file_;
  pid_t process_;  // a child that it forks writes nothing to its parent's trace
  LaunchPlace next_;
  std::vector<std::string> launches_;  // JSON
};

}  // namespace tmaemu::trace
