// How a conflict is reported: which of the two accesses is accused, and what is said instead where
// a missing wait or commit is the cause.
#pragma once

#include <cstdint>

#include "emulator/check/access_context.h"
#include "emulator/check/conflict.h"

namespace tmaemu::check {

// The bytes that a finding is about.
struct ReportedBytes {
  bool is_global = false;
  std::uint64_t address = 0;  // global, or shared::cluster
  std::uint64_t count = 1;
};

// A lane of an access does something with the bytes that it should not.
Finding finding_of(const LaunchState& launch, const PastAccess& access, unsigned lane, bool writes,
                   Sentence sentence, const ReportedBytes& bytes);
// And another one has to do with it.
Note note_of(const LaunchState& launch, const PastAccess& access, unsigned lane,
             NoteSentence sentence, const ReportedBytes& bytes);

// Which lanes of the two accesses, and where they met: at `byte`, which is one of `all` bytes that
// the later access is about.
struct ConflictPlace {
  unsigned earlier_lane = 0;
  unsigned now_lane = 0;
  ReportedBytes byte;
  ReportedBytes all;
};

void report_conflict(const AccessContext& context, const Conflict& conflict, const Verdict& verdict,
                     const ConflictPlace& place);

}  // namespace tmaemu::check
