#include "emulator/diagnostics/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "contract/rendering/json_line.h"
#include "contract/rendering/terminal_text.h"

namespace tmaemu {
namespace {

class TerminalOutput : public FindingOutput {
 public:
  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    print(rendered(diagnostic));
    return 0;
  }
  void count(std::uint64_t, const Diagnostic& diagnostic, std::uint64_t count) override {
    print({rendered_count(diagnostic, count)});
  }
  void leave_out() override {
    if (std::exchange(has_left_out_, true)) return;
    std::fputs(
        "tmaemu: findings inside CUB, Thrust and CUTLASS that do no harm are not told; "
        "--check=strict tells them\n",
        stderr);
  }
  bool merges_launches() const override { return true; }
  const SourceFiles& source_files() const override { return files_; }

 private:
  static void print(const StyledText& text) {
    // The pages' paths begin at the top of the repository, where a program seldom runs.
    const char* top = std::getenv("TMAEMU_PAGES");
    std::fputs(terminal_text(text, colors_of_standard_error(), top == nullptr ? "" : top).c_str(),
               stderr);
  }

  SourceFiles files_;
  bool has_left_out_ = false;
};

// A kernel may be wrong at any number of lines; the judge keeps 256 KiB of what it is sent at once.
constexpr std::uint64_t most_findings = 50;
constexpr std::size_t most_bytes = std::size_t{192} << 10;

// All of it, or false where that failed: then errno says why.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

class LineOutput : public FindingOutput {
 public:
  using Json = std::string (*)(const Diagnostic&);

  // `merges_launches`: not where somebody asks for the findings of each launch.
  LineOutput(int file, SourceFiles files, Json json, bool merges_launches)
      : file_(file), files_(std::move(files)), json_(json), merges_launches_(merges_launches) {}

  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    if (reported_ == most_findings || !send(json_(diagnostic))) return std::nullopt;
    return reported_++;
  }
  void count(std::uint64_t number, const Diagnostic&, std::uint64_t count) override {
    send(json_count_line(number, count));
  }
  bool merges_launches() const override { return merges_launches_; }
  const SourceFiles& source_files() const override { return files_; }

 private:
  // A whole line or nothing.
  bool send(std::string line) {
    line += '\n';
    if (line.size() > most_bytes - sent_) return false;
    sent_ += line.size();
    return write_all(file_, line);
  }

  int file_;
  SourceFiles files_;
  Json json_;
  bool merges_launches_;
  std::uint64_t reported_ = 0;
  std::size_t sent_ = 0;
};

// Another output, and a file that other processes write to as well.
class OutputAndFile : public FindingOutput {
 public:
  OutputAndFile(std::unique_ptr<FindingOutput> output, int file, std::string name)
      : output_(std::move(output)), file_(file), name_(std::move(name)) {}

  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    // In one piece, so that no other process's line begins in the middle of it.
    if (!write_all(file_, json_line_with_text(diagnostic) + '\n')) say_what_is_missing();
    return output_->report(diagnostic);
  }
  void count(std::uint64_t number, const Diagnostic& diagnostic, std::uint64_t count) override {
    output_->count(number, diagnostic, count);
  }
  void leave_out() override { output_->leave_out(); }
  bool merges_launches() const override { return output_->merges_launches(); }
  const SourceFiles& source_files() const override { return output_->source_files(); }

 private:
  void say_what_is_missing() const {
    std::fprintf(stderr, "tmaemu: a finding could not be written to '%s': %s\n", name_.c_str(),
                 std::strerror(errno));
  }

  std::unique_ptr<FindingOutput> output_;
  int file_;
  std::string name_;
};

// Never destroyed: programs may launch kernels from the destructors of their own globals.
std::unique_ptr<FindingOutput>& output_of_process() {
  static auto* output = new std::unique_ptr<FindingOutput>(std::make_unique<TerminalOutput>());
  return *output;
}

}  // namespace

FindingOutput& finding_output() {
  return *output_of_process();
}

void send_findings_to(std::unique_ptr<FindingOutput> output) {
  output_of_process() = std::move(output);
}

void send_findings_to_terminal() {
  send_findings_to(std::make_unique<TerminalOutput>());
}

void send_findings_as_json() {
  const auto json = [](const Diagnostic& diagnostic) { return json_line_with_text(diagnostic); };
  send_findings_to(std::make_unique<LineOutput>(STDERR_FILENO, SourceFiles(), json, true));
}

common::Status also_send_findings_to_file(const std::string& name) {
  const int file = open(name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    return common::Error{"cannot write findings to '" + name + "': " + std::strerror(errno)};
  }
  send_findings_to(std::make_unique<OutputAndFile>(std::move(output_of_process()), file, name));
  return {};
}

void say_at_exit_that_nothing_was_found() {
  std::atexit([] {
    std::fflush(stdout);  // it is the last that is said
    if (findings_reported() == 0) std::fputs("strict check: nothing found\n", stderr);
  });
}

void end_with_status_where_something_was_found(int status) {
  static int asked = 0;
  if (std::exchange(asked, status) != 0) return;
  std::atexit([] {
    if (findings_reported() == 0) return;
    std::fflush(nullptr);  // what exit() would do next
    _exit(asked);
  });
}

std::uint64_t& findings_reported() {
  static std::uint64_t count = 0;
  return count;
}

bool& reports_library_findings() {
  static bool reports = false;
  return reports;
}

}  // namespace tmaemu

// For the replay, which finds these by their names: contract/protocol/replay_interface.h.
extern "C" void tmaemu_send_findings(int file, const char* sources) {
  tmaemu::send_findings_to(std::make_unique<tmaemu::LineOutput>(file, tmaemu::SourceFiles(sources),
                                                                tmaemu::json_line, false));
  tmaemu::reports_library_findings() = true;  // file names are the student's to choose
}
extern "C" std::uint64_t tmaemu_findings() {
  return tmaemu::findings_reported();
}
