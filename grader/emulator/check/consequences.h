// Which findings follow from others of their cluster: a mistake leads to more of what looks like
// one, and only the cause is worth a student's time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "emulator/check/mbarrier_ledger.h"
#include "emulator/model/finding.h"

namespace tmaemu::check {

// What is no finding of its own, and explains some.
enum class Fact : std::uint8_t {
  read_served_late,    // of a site: somebody writes what it reads, and nothing orders the two
  mbarrier_misused,    // of an mbarrier: a wait for a wrong parity, bytes that come elsewhere
  phase_starved,       // of a phase: more bytes come than were announced
  operation_reported,  // of an operation: it is in a finding already
  issued_too_often,    // of an operation: another one does the same
  loaded_too_often,    // of an mbarrier: loads that it counts are issued too early, or by too many
  load_repeated,       // of an mbarrier: a load that it counts is issued twice
  unawaited,           // of an mbarrier: nobody waits for it
  never_awaited,       // the same, and a wait elsewhere may be overrun
};

// Where consequence and cause must agree.
enum class Where : std::uint8_t {
  anywhere,       // in the cluster
  same_site,      // both are about one instruction
  site_of_cause,  // the consequence or its note is about the cause's instruction
  line_of_cause,  // the consequence or a note of it is about the cause's line
  line_in_cause,  // the cause or a note of it is about the consequence's line
  copy_in_notes,  // a note of the cause is about the consequence's instruction, or a copy of it
  same_thread,    // both are about one thread, and a note of the consequence about the line of the
                  // cause's note
  swapped_lines,  // each is about the line of the other's note
  noted_line,     // the notes of both are about one line
  same_line,      // both are about one line
  same_lines,     // and their notes, too
  same_mbarrier,
  same_phase,
  same_operation,
};

// What becomes of the consequence.
enum class Then : std::uint8_t {
  is_withdrawn,               // it explains nothing either
  is_withdrawn_by_suspicion,  // the same, and the cause need not be more than a suspicion
  is_left_out,                // it may still explain others
  comes_beside,               // it is reported at the cause's place in the order
};

struct Consequence {
  std::span<const Sentence> sentences;  // none: any
  std::span<const Sentence> causes;     // none, and no fact: any other sentence
  std::optional<Fact> fact;             // that is the cause, or holds beside one of the causes
  Where where;
  Then then;
};

std::span<const Consequence> consequences();

// What a finding has to do with beside its places.
struct About {
  std::optional<std::uint32_t> mbarrier = {};  // shared::cluster address
  std::optional<PhaseOf> phase = {};
  std::uint32_t operation = 0;  // its number in the cluster; 0: none
};

// A finding that is reported unless it follows from others.
struct Suspicion {
  Finding finding;
  About about;
};

// Which instructions are of one place of the source.
struct SameSource {
  using OfTwo = std::function<bool(std::uint32_t, std::uint32_t)>;
  OfTwo is_one_line = [](std::uint32_t, std::uint32_t) { return false; };
  // Whether the compiler has made both of one: of a loop's body that it unrolled, for example.
  OfTwo are_copies = [](std::uint32_t, std::uint32_t) { return false; };
};

// What was found in a cluster.
struct FoundInCluster {
  std::vector<Finding> reported = {};
  std::vector<Suspicion> suspicions = {};
  std::set<std::pair<Fact, std::uint64_t>> facts = {};
  SameSource source = {};
};

constexpr std::uint64_t key_of(const PhaseOf& phase) {
  return std::uint64_t{phase.mbarrier} << 32 | phase.phase;
}

// The row by which the finding follows from what was found, among those that end so; null where it
// follows from nothing.
const Consequence* find_consequence(const Finding& finding, const About& about, Then then,
                                    const FoundInCluster& found);

// How many causes may come before such a finding, one leading to the next: who decides about
// suspicions begins with those that have the fewest.
int depth_of(Sentence sentence);

}  // namespace tmaemu::check
