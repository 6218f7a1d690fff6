#include "contract/findings/finding_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "contract/findings/codes.h"
#include "contract/findings/sentences.h"
#include "contract/findings/shared_help.h"

namespace tmaemu {
namespace {

using enum FindingCode;
using Kind = FindingKind;
using Cost = FindingCost;
using Outcome = LaunchOutcome;

// "missing-proxy-fence" of missing_proxy_fence.
template <std::size_t SIZE>
struct KebabCase {
  char text[SIZE];

  consteval KebabCase(const char (&name)[SIZE]) { std::ranges::replace_copy(name, text, '_', '-'); }
};
template <KebabCase NAME>
constexpr std::string_view kebab_case{NAME.text};

// Each row stands at the place of its enumerator, so that a look-up is an index.
constexpr std::array codes{
#define CODE(row, ...) CodeEntry{.code = FindingCode::row, .name = kebab_case<#row>, __VA_ARGS__},
#include "contract/findings/codes.def"
#undef CODE
};
constexpr std::array sentences{
#define SENTENCE(row, code, ...) SentenceEntry{Sentence::row, FindingCode::code, __VA_ARGS__},
#include "contract/findings/sentences.def"
#undef SENTENCE
};
constexpr std::array notes{
#define NOTE(row, text) NoteEntry{NoteSentence::row, text},
#include "contract/findings/notes.def"
#undef NOTE
};

}  // namespace

std::string page_of(FindingCode code) {
  return "handout/findings/" + std::string(entry_of(code).name) + ".md";
}

unsigned report_rank_of(FindingCode code) {
  // An index too large writes over a neighbor, a barrier that some skip orders nothing, and who
  // waits for too little reads too soon. What collides then is reported behind that.
  constexpr std::array first{
      out_of_bounds,         divergent_barrier,        barrier_reinit,   wait_wrong_parity,
      load_over_unread_data, expect_too_few,           expect_too_many,  wait_without_commit,
      read_before_wait,      unsynchronized_tma_store, write_during_load};
  constexpr std::array last{overlapping_tma_writes, data_race, arrival_overflow};
  if (std::ranges::find(last, code) != last.end()) return first.size() + 1;
  return static_cast<unsigned>(std::ranges::find(first, code) - first.begin());
}

std::span<const CodeEntry> finding_codes() {
  return codes;
}
std::span<const SentenceEntry> finding_sentences() {
  return sentences;
}
std::span<const NoteEntry> note_sentences() {
  return notes;
}

const CodeEntry& entry_of(FindingCode code) {
  return codes[static_cast<std::size_t>(code)];
}
const SentenceEntry& entry_of(Sentence sentence) {
  return sentences[static_cast<std::size_t>(sentence)];
}
const NoteEntry& entry_of(NoteSentence sentence) {
  return notes[static_cast<std::size_t>(sentence)];
}

std::string_view name_of(FindingCost cost) {
  switch (cost) {
    case Cost::correctness:
      return "correctness";
    case Cost::hygiene:
      return "hygiene";
    case Cost::nothing:
      return "nothing";
  }
  return "";
}

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case Kind::finding:
      return "finding";
    case Kind::fault:
      return "fault";
    case Kind::deadlock:
      return "deadlock";
    case Kind::not_modeled:
      return "not-modeled";
  }
  return "";
}

}  // namespace tmaemu
