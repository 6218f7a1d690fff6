// The judge's command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/result.h"

namespace judge {

struct Options {
  std::string lab;         // "lab3-bulk-copy"
  std::string submission;  // the student's library
  std::string runner;
  std::string output;                         // where the verdicts go
  std::chrono::milliseconds timeout{10'000};  // of one call
  std::uint64_t seed = 1;
  std::string filter;  // only the cases of this part, unless empty
  bool bandwidth = false;
  bool help = false;
};

extern const char* const kUsage;

common::Result<Options> parse_options(int argc, char** argv);

}  // namespace judge
