// The registry of findings: every code, and every sentence that a finding can say. Nothing else in
// the repository knows a code's kind, its CUDA error, its page or its words. The rows are
// beside this: one is all that a sentence needs (handout/inside/add-a-finding.md). Who names a code
// includes codes.h, and who names a sentence sentences.h: both are compiled again with each new
// row, and who only passes them on is not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "contract/findings/outcome.h"

namespace tmaemu {

enum class FindingKind : std::uint8_t {
  finding,      // the program goes on
  fault,        // the kernel ends, as on hardware
  deadlock,     // the kernel ends; hardware would hang
  not_modeled,  // the kernel ends; the program may be right
};

// What a finding costs.
enum class FindingCost : std::uint8_t {
  correctness,  // the points of the part
  hygiene,      // that alone: it breaks PTX's letter, and no GPU was ever seen to show it
  nothing,      // a remark, told as a warning, which changes no verdict
};

enum class FindingCode : std::uint8_t;

struct CodeEntry {
  FindingCode code;
  std::string_view name;  // stable: "missing-proxy-fence"
  FindingKind kind = FindingKind::finding;
  LaunchOutcome outcome = LaunchOutcome::completed;  // of the launch that has it
  std::string_view cuda_error = {};  // that the launch ends with; empty where the program goes on
  FindingCost cost = FindingCost::correctness;
};

std::span<const CodeEntry> finding_codes();
const CodeEntry& entry_of(FindingCode code);
// The page of the handout, from the top of the repository.
std::string page_of(FindingCode code);
// Of what a kernel does wrong at once, in which order it is reported: causes come before what they
// lead to.
unsigned report_rank_of(FindingCode code);
// "finding", "fault", "deadlock", "not-modeled".
std::string_view name_of(FindingKind kind);
// "correctness", "hygiene", "nothing".
std::string_view name_of(FindingCost cost);

// What a finding says: one enumerator for each sentence.
enum class Sentence : std::uint16_t;

struct SentenceEntry {
  Sentence sentence;
  FindingCode code;
  std::string_view text;  // as sentences.def says
  std::string_view help = {};
};

std::span<const SentenceEntry> finding_sentences();
const SentenceEntry& entry_of(Sentence sentence);

// What is said of another place that has to do with a finding.
enum class NoteSentence : std::uint8_t;

struct NoteEntry {
  NoteSentence sentence;
  std::string_view text;  // as notes.def says
};

std::span<const NoteEntry> note_sentences();
const NoteEntry& entry_of(NoteSentence sentence);

}  // namespace tmaemu
