#include "emulator/diagnostics/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "emulator/rendering/json_line.h"
#include "emulator/rendering/terminal_text.h"

namespace tmaemu {
namespace {

class TerminalOutput : public FindingOutput {
 public:
  std::optional<std::uint64_t> tell(const ToldFinding& finding) override {
    // The pages' paths begin at the top of the repository, where a program seldom runs.
    const char* top = std::getenv("TMAEMU_PAGES");
    print(terminal_text(finding, colors_of_standard_error(), top == nullptr ? "" : top));
    return 0;
  }
  void count(std::uint64_t, const ToldFinding& finding, std::uint64_t count) override {
    print(terminal_count(finding, count, colors_of_standard_error()));
  }
  void leave_out() override {
    if (std::exchange(has_left_out_, true)) return;
    print(
        "tmaemu: findings inside CUB and Thrust that do no harm are not told; --check=strict tells "
        "them\n");
  }
  const SourceFiles& source_files() const override { return files_; }

 private:
  static void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

  SourceFiles files_;
  bool has_left_out_ = false;
};

// A kernel may be wrong at any number of lines; the judge keeps 256 KiB of what it is sent at once.
constexpr std::uint64_t most_findings = 50;
constexpr std::size_t most_bytes = std::size_t{192} << 10;

class LineOutput : public FindingOutput {
 public:
  LineOutput(int file, SourceFiles files) : file_(file), files_(std::move(files)) {}

  std::optional<std::uint64_t> tell(const ToldFinding& finding) override {
    if (told_ == most_findings || !send(json_line(finding))) return std::nullopt;
    return told_++;
  }
  void count(std::uint64_t number, const ToldFinding&, std::uint64_t count) override {
    send(json_count_line(number, count));
  }
  const SourceFiles& source_files() const override { return files_; }

 private:
  // A whole line or nothing.
  bool send(std::string line) {
    line += '\n';
    if (line.size() > most_bytes - sent_) return false;
    sent_ += line.size();
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t written = write(file_, rest.data(), rest.size());
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  int file_;
  SourceFiles files_;
  std::uint64_t told_ = 0;
  std::size_t sent_ = 0;
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

void tell_findings_on_the_terminal() {
  output_of_process() = std::make_unique<TerminalOutput>();
}

void tell_findings_as_json() {
  output_of_process() = std::make_unique<LineOutput>(STDERR_FILENO, SourceFiles());
}

void tell_at_exit_that_nothing_was_found() {
  std::atexit([] {
    std::fflush(stdout);  // it is the last that is said
    if (findings_told() == 0) std::fputs("strict check: nothing found\n", stderr);
  });
}

std::uint64_t& findings_told() {
  static std::uint64_t count = 0;
  return count;
}

bool& tells_library_findings() {
  static bool tells = false;
  return tells;
}

}  // namespace tmaemu

// For the replay, which finds these by their names: runtime/state/replay_interface.h.
extern "C" void tmaemu_send_findings(int file, const char* sources) {
  tmaemu::output_of_process() =
      std::make_unique<tmaemu::LineOutput>(file, tmaemu::SourceFiles(sources));
  tmaemu::tells_library_findings() = true;  // file names are the student's to choose
}
extern "C" std::uint64_t tmaemu_findings() {
  return tmaemu::findings_told();
}
