// Binds the launchers of lab1-async-copy to the runner. Compiled once for each submission, together
// with the student's file.

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_reverse_tile(...);
entry::Missing launch_reverse_two_stages(...);
entry::Missing launch_reverse(...);

namespace entry {

int one_tile(int* dest, const int* src, [[maybe_unused]] int count) {
  if constexpr (kDefined<decltype(launch_reverse_tile(dest, src, count))>) {
    launch_reverse_tile(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int two_stages(int* dest, const int* src, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_reverse_two_stages(dest, src, count))>) {
    launch_reverse_two_stages(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int ring(int* dest, const int* src, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_reverse(dest, src, count))>) {
    launch_reverse(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  int* const dest = static_cast<int*>(arguments->pointers[0]);
  const int* const src = static_cast<const int*>(arguments->pointers[1]);
  const auto count = static_cast<std::size_t>(arguments->integers[0]);
  if (std::strcmp(part, "one-tile") == 0) {
    return entry::one_tile(dest, src, static_cast<int>(count));
  }
  if (std::strcmp(part, "two-stages") == 0) return entry::two_stages(dest, src, count);
  if (std::strcmp(part, "ring") == 0) return entry::ring(dest, src, count);
  return kSubmissionUnknownPart;
}
