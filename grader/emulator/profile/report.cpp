#include "emulator/profile/report.h"

#include <unistd.h>

#include "emulator/diagnostics/output_file.h"
#include "emulator/profile/json.h"
#include "emulator/profile/table.h"

namespace tmaemu::profile {
namespace {

Report* report = nullptr;

// After the program's own exit handlers and destructors: they may launch kernels too.
__attribute__((destructor)) void write_at_exit() {
  if (report != nullptr) report->write();
}

}  // namespace

common::Result<Settings> Settings::parse(const std::string& form, const std::string& file) {
  Settings settings;
  if (form == "table") {
    settings.form = Form::table;
  } else if (form == "json") {
    settings.form = Form::json;
  } else if (!form.empty()) {
    return common::Error{"TMAEMU_STATS is \"" + form + "\"; it must be table or json"};
  }
  settings.file = name_in_this_process(file);
  return settings;
}

Report::Report(Settings::Form form, std::FILE* out) : form_(form), out_(out), process_(getpid()) {}

common::Result<Report*> Report::open(const Settings& settings) {
  std::FILE* out = stderr;
  if (!settings.file.empty()) {
    const auto opened = open_output(settings.file, "statistics");
    if (!opened) return opened.error();
    out = *opened;
  }
  report = new Report(settings.form, out);  // lives as long as the process
  return report;
}

void Report::write() const {
  if (getpid() != process_) return;
  const std::string text = form_ == Settings::Form::json ? to_json(launches_) : to_table(launches_);
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

}  // namespace tmaemu::profile
