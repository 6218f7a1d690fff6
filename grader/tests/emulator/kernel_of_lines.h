// A kernel of given lines, and an output that keeps what is told of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/diagnostics/diagnostics.h"

namespace tmaemu::kernel_of_lines {
// Keeps what is reported to it.
class Listener : public FindingOutput {
 public:
  explicit Listener(std::size_t most = 1000) : most_(most) {}
  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    if (reported.size() == most_) return std::nullopt;
    reported.push_back(diagnostic);
    return reported.size() - 1;
  }
  void count(std::uint64_t number, const Diagnostic&, std::uint64_t count) override {
    counts.emplace_back(number, count);
  }
  void leave_out() override { ++left_out; }
  const SourceFiles& source_files() const override { return files_; }

  std::vector<Diagnostic> reported;
  int left_out = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;

 private:
  std::size_t most_;
  SourceFiles files_{"/nowhere"};
};

// Wants to hear of a finding once, whatever the number of launches.
class MergingListener : public Listener {
 public:
  bool merges_launches() const override { return true; }
};

// A kernel with these lines of lab3.cu, an instruction each; 0: an instruction without a line.
class KernelOfLines {
 public:
  explicit KernelOfLines(const std::vector<std::uint32_t>& lines) {
    module_.text = "ptx 1\nptx 2\nptx 3\nptx 4\n";
    module_.files = {"/submission/lab3.cu", "/grader/labs/common/tma/bulk-copy.cuh"};
    instructions_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] != 0) instructions_[i].source = {0, lines[i], 5, -1};
      instructions_[i].line = static_cast<int>(i + 1);
      program.sites.push_back(&instructions_[i]);
    }
    function_.name = "kernel";
    program.module = &module_;
    program.function = &function_;
    request.grid.x = 4;
    request.block.x = 64;
  }
  // The instruction is part of a wrapper that is inlined at its line.
  void wrap(std::size_t site) {
    module_.inline_sites.push_back({instructions_[site].source, "store"});
    instructions_[site].source = {1, 67, 11,
                                  static_cast<std::int32_t>(module_.inline_sites.size() - 1)};
  }

  // The instruction is part of that header, which is inlined at its line.
  void move_into(std::size_t site, const std::string& header) {
    module_.files[1] = header;
    wrap(site);
  }

  // The kernel itself stands in that file.
  void stand_in(const std::string& file) { module_.files[0] = file; }

  // The instruction is part of a function of the student's own that is inlined at a line.
  void call(std::size_t site, std::uint32_t line) {
    module_.inline_sites.push_back({{0, line, 3, -1}, "helper"});
    instructions_[site].source.inlined_at =
        static_cast<std::int32_t>(module_.inline_sites.size() - 1);
  }

  // The instruction has no line of its own, and its line is one nearby.
  void merge(std::size_t site) { instructions_[site].source.is_near = true; }

  // The last call may as well have been at that line.
  void or_at(std::uint32_t line) {
    ptx::InlineSite other = module_.inline_sites.back();
    other.call.line = line;
    module_.inline_sites.insert(module_.inline_sites.begin(), other);
    module_.inline_sites.back().alternatives = {0};
    for (ptx::Instruction& instruction : instructions_) {
      if (instruction.source.inlined_at >= 0) ++instruction.source.inlined_at;
    }
  }

  Program program;
  LaunchRequest request;

 private:
  ptx::Module module_;
  ptx::Function function_;
  std::vector<ptx::Instruction> instructions_;
};

inline Finding store(std::uint32_t site, std::uint32_t block = 0) {
  Finding finding{Sentence::store_reads_unfenced};
  finding.site = site;
  finding.cta = {block, 0, 0};
  finding.thread = {0, 33};
  return finding;
}

inline std::vector<std::uint32_t> lines(const Listener& listener) {
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& one : listener.reported) lines.push_back(one.place.value().line);
  return lines;
}

using ReportCounts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
using Lines = std::vector<std::uint32_t>;

// What is told of a finding of the kernel's first instruction.
inline Diagnostic told_of(const KernelOfLines& kernel) {
  Listener listener;
  Diagnostics(kernel.program, kernel.request, listener).report(store(0));
  return listener.reported.at(0);
}

// Of the finding, and of its notes.
using Named = std::vector<std::string>;
inline Named places_of(const Diagnostic& diagnostic) {
  Named places{text_of(diagnostic.place.value())};
  for (const Diagnostic::Note& note : diagnostic.notes) places.push_back(text_of(note.place));
  return places;
}

}  // namespace tmaemu::kernel_of_lines
