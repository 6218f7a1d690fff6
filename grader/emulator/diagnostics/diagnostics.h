// Findings and faults, said in the student's terms: where, what, why, and what to write instead.
// The form is clang's, so that editors and people know how to read it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "emulator/decode/program.h"
#include "emulator/device/device.h"
#include "emulator/sched/causality.h"

namespace tmaemu {

// Another place that has to do with a finding.
struct Note {
  std::uint32_t site;
  std::string message;
};

struct Finding {
  std::string code;     // stable, as in the documentation: "missing-proxy-fence"
  std::string message;  // one sentence
  std::uint32_t site = 0;
  Dimensions cta;  // ctaid of the thread that did it
  ThreadId thread;
  std::string detail;  // after the thread: "reads shared memory [1024, 5120)"
  std::vector<Note> notes;
  std::string help;
};

class Diagnostics {
 public:
  Diagnostics(const Program& program, Dimensions block) : program_(program), block_(block) {}

  // Prints the finding to stderr, once for each code and place; says at the end how often it was.
  void report(const Finding& finding);
  // A fault that ends the kernel.
  void fault(LaunchOutcome outcome, const std::string& message, std::uint32_t site, Dimensions cta,
             ThreadId thread);
  // Text that stands alone: the deadlock report.
  void text(const std::string& message);
  // Prints how often findings were repeated.
  void finish();

  // "lab3.cu:41:5" of an instruction, or where there is no line information, its PTX line.
  std::string place(std::uint32_t site) const;
  std::string thread_name(Dimensions cta, ThreadId thread) const;
  // "tile[bytes 0 to 4095]": bytes of a shared variable, or of shared memory where none is known.
  std::string shared_range(std::uint32_t offset, std::uint32_t bytes) const;
  // "full + 8 bytes": the place of an object in shared memory.
  std::string shared_place(std::uint32_t offset) const;

 private:
  // The location in the student's own source; null where the instruction has none.
  const ptx::SourceLocation* students_place(std::uint32_t site) const;
  // The variable that holds the byte at `offset`; null where none is known.
  const SharedVariable* shared_variable(std::uint32_t offset) const;
  std::string place_text(const ptx::SourceLocation& place) const;
  std::string excerpt(std::uint32_t site, const std::string& remark) const;
  std::string inlining(std::uint32_t site) const;

  const Program& program_;
  Dimensions block_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> reported_;
};

}  // namespace tmaemu
