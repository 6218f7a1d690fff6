// The statistics of this process: what every launch did, written when the process ends.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/result.h"
#include "emulator/stats/record.h"

namespace tmaemu::stats {

struct Settings {
  enum class Form : std::uint8_t { none, table, json };
  Form form = Form::none;
  std::string file;  // empty: stderr

  // From TMAEMU_STATS, "table" or "json", and TMAEMU_STATS_FILE, in which %p is the number of the
  // process; empty where the environment has none.
  static common::Result<Settings> parse(const std::string& form, const std::string& file);
};

class Recorder {
 public:
  // Opens the file, so that it is known at once if it cannot be written.
  static common::Status open(const Settings& settings);
  // Null where nobody asked for statistics.
  static Recorder* instance();

  void add(Record record) { records_.push_back(std::move(record)); }
  void write() const;

 private:
  Recorder(Settings::Form form, std::FILE* out);

  Settings::Form form_;
  std::FILE* out_;
  pid_t process_;  // a child that it forks does not write its parent's statistics
  std::vector<Record> records_;
};

}  // namespace tmaemu::stats
