// The statistics of this process: what every launch did, written when the process ends.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/result.h"
#include "emulator/profile/launch_report.h"

namespace tmaemu::profile {

struct Settings {
  enum class Form : std::uint8_t { none, table, json };
  Form form = Form::none;
  std::string file;  // empty: stderr

  // From TMAEMU_STATS, "table" or "json", and TMAEMU_STATS_FILE, in which %p is the number of the
  // process; empty where the environment has none.
  static common::Result<Settings> parse(const std::string& form, const std::string& file);
};

class Report {
 public:
  // Opens the file, so that it is known at once if it cannot be written.
  static common::Result<Report*> open(const Settings& settings);

  void add(LaunchReport launch) { launches_.push_back(std::move(launch)); }
  void write() const;

 private:
  Report(Settings::Form form, std::FILE* out);

  Settings::Form form_;
  std::FILE* out_;
  pid_t process_;  // a child that it forks does not write its parent's statistics
  std::vector<LaunchReport> launches_;
};

}  // namespace tmaemu::profile
