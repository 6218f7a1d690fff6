// Binds the launchers of lab3-bulk-copy to the runner. Compiled once for each submission, together
// with the student's file.

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_add_one_tile(...);
entry::Missing launch_add_one(...);
entry::Missing launch_add_one_pipeline(...);

namespace entry {

int one_tile(int* data, [[maybe_unused]] int count) {
  if constexpr (kDefined<decltype(launch_add_one_tile(data, count))>) {
    launch_add_one_tile(data, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int any_length(int* data, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_add_one(data, count))>) {
    launch_add_one(data, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int pipeline(int* data, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_add_one_pipeline(data, count))>) {
    launch_add_one_pipeline(data, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  int* const data = static_cast<int*>(arguments->pointers[0]);
  const auto count = static_cast<std::size_t>(arguments->integers[0]);
  if (std::strcmp(part, "one-tile") == 0) return entry::one_tile(data, static_cast<int>(count));
  if (std::strcmp(part, "any-length") == 0) return entry::any_length(data, count);
  if (std::strcmp(part, "pipeline") == 0) return entry::pipeline(data, count);
  return kSubmissionUnknownPart;
}
