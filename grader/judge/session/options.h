// The judge's command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "common/result.h"
#include "judge/arrays/random.h"

namespace judge {

struct Options {
  std::string submission;  // the student's library
  std::string output;      // where the verdicts go
  // What starts a runner that holds the submission: its path and arguments, perhaps with a sandbox
  // before them. It must pass on the descriptors of contract/protocol/protocol.h.
  std::vector<std::string> runner;
  std::chrono::milliseconds timeout{10'000};  // of one call
  // Drawn from the operating system unless given: students have the judge's source, and would know
  // the inputs of a constant seed.
  std::uint64_t seed = 0;
  std::string filter;                           // only the cases of this part, unless empty
  std::string only_case;                        // only the case of this name, unless empty
  std::set<std::string, std::less<>> left_out;  // cases that are not run, as PART/NAME
  InputData data = InputData::random;
  // A part that has hung once is not asked again: for who waits for the verdict.
  bool stop_at_timeout = false;
  bool short_cases = false;  // those of long arrays are left out: another run has them
  bool bandwidth = false;
  std::string product_library;  // the path of cublasLt, if the machine has it
  bool help = false;
};

extern const char* const usage;

common::Result<Options> parse_options(int argc, char** argv);

}  // namespace judge
