#include "emulator/stats/recorder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "emulator/stats/json.h"
#include "emulator/stats/table.h"

namespace tmaemu::stats {
namespace {

Recorder* recorder = nullptr;

// After the program's own exit handlers and destructors: they may launch kernels too.
__attribute__((destructor)) void write_at_exit() {
  if (recorder != nullptr) recorder->write();
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
  settings.file = file;
  const std::size_t process = file.find("%p");
  if (process != std::string::npos) settings.file.replace(process, 2, std::to_string(getpid()));
  return settings;
}

Recorder::Recorder(Settings::Form form, std::FILE* out)
    : form_(form), out_(out), process_(getpid()) {}

common::Status Recorder::open(const Settings& settings) {
  if (settings.form == Settings::Form::none) return {};
  std::FILE* out = settings.file.empty() ? stderr : std::fopen(settings.file.c_str(), "we");
  if (out == nullptr) {
    return common::Error{"cannot write statistics to '" + settings.file +
                         "': " + std::strerror(errno)};
  }
  recorder = new Recorder(settings.form, out);  // lives as long as the process
  return {};
}

Recorder* Recorder::instance() {
  return recorder;
}

void Recorder::write() const {
  if (getpid() != process_) return;
  const std::string text = form_ == Settings::Form::json ? to_json(records_) : to_table(records_);
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

}  // namespace tmaemu::stats
