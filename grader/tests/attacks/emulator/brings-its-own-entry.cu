// Tries to be its own checks: renames the entry that is compiled with it, and brings one that
// always says "called".
//
// Fails: what the entry says was never worth a point.
#include "contract/protocol/submission_entry.h"

extern "C" int submission_call(const char*, const SubmissionArguments*) {
  return submission_called;
}
#define submission_call renamed_entry
