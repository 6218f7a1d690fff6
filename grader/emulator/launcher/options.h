// The command line of tmaemu.
#pragma once

#include <string>
#include <vector>

#include "common/result.h"

namespace launcher {

struct Options {
  bool help = false;
  bool version = false;
  bool findings = false;             // print the registry
  std::string schedule;              // TMAEMU_SCHEDULE, likewise
  std::string check;                 // TMAEMU_CHECK, likewise
  std::string error_exitcode;        // TMAEMU_ERROR_EXITCODE, likewise
  std::string findings_file;         // TMAEMU_FINDINGS_FILE, likewise
  bool explain = false;              // print the page of explained_code, or the list of all codes
  std::string explained_code;        // empty: the list
  std::string async;                 // TMAEMU_ASYNC for the program; empty: leave it as it is
  std::string stats;                 // TMAEMU_STATS, likewise
  std::string stats_file;            // TMAEMU_STATS_FILE, likewise
  std::string trace;                 // TMAEMU_TRACE, likewise
  std::string record;                // TMAEMU_RECORD, likewise
  std::vector<std::string> command;  // the program and its arguments
};

// `arguments` without tmaemu's own name.
common::Result<Options> parse(const std::vector<std::string>& arguments);

extern const char* const usage;

}  // namespace launcher
