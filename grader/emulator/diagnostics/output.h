// Where diagnostics go: to the terminal, or as lines of JSON to a file that nothing but the
// emulator writes to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/result.h"
#include "contract/rendering/diagnostic.h"
#include "emulator/diagnostics/source_files.h"

namespace tmaemu {

class FindingOutput {
 public:
  virtual ~FindingOutput() = default;
  // Nothing where it takes no more; else a number for count().
  virtual std::optional<std::uint64_t> report(const Diagnostic& diagnostic) = 0;
  // How often a finding was found that was reported before.
  virtual void count(std::uint64_t number, const Diagnostic& diagnostic, std::uint64_t count) = 0;
  // Whether a finding that an earlier launch had at the same lines is counted, and not reported.
  virtual bool merges_launches() const { return false; }
  // A finding of a library's own was left out (library_findings.h).
  virtual void leave_out() {}
  // What findings may quote.
  virtual const SourceFiles& source_files() const = 0;
};

// That of this process: the terminal, until another one is given.
FindingOutput& finding_output();
void send_findings_to(std::unique_ptr<FindingOutput> output);
void send_findings_to_terminal();
// As lines of JSON on standard error, of every source that the program names.
void send_findings_as_json();
// Besides, as lines of JSON at the end of a file, to which other processes may write as well: whole
// lines, without counts, which speak of one process. An error where the file cannot be written.
common::Status also_send_findings_to_file(const std::string& name);
// Once the program ends, if it does so by itself: who asked for the strict check waits for a
// verdict.
void say_at_exit_that_nothing_was_found();
// The program's own status then counts only where there is no finding: 1 to 255.
void end_with_status_where_something_was_found(int status);
// How many findings this process had, those included that the output did not take.
std::uint64_t& findings_reported();
// Whether those of libraries are reported, too (library_findings.h).
bool& reports_library_findings();

}  // namespace tmaemu
