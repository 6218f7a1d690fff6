// Binds the launchers of lab9-clusters to the runner. Compiled once for each submission, together
// with the student's file.

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_multicast(...);
entry::Missing launch_row_broadcast(...);
entry::Missing launch_rotate(...);
entry::Missing launch_add_row(...);
entry::Missing launch_add_pairs(...);

namespace entry {

int multicast(int* dest, const int* src, [[maybe_unused]] int tiles) {
  if constexpr (kDefined<decltype(launch_multicast(dest, src, tiles))>) {
    launch_multicast(dest, src, tiles);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int row_broadcast(int* dest, const int* row, [[maybe_unused]] int rows,
                  [[maybe_unused]] int columns) {
  if constexpr (kDefined<decltype(launch_row_broadcast(dest, row, rows, columns))>) {
    launch_row_broadcast(dest, row, rows, columns);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int rotate(int* dest, const int* src, [[maybe_unused]] int tiles, [[maybe_unused]] int hops) {
  if constexpr (kDefined<decltype(launch_rotate(dest, src, tiles, hops))>) {
    launch_rotate(dest, src, tiles, hops);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int cache_policy(int* dest, const int* src, const int* row, [[maybe_unused]] int rows,
                 [[maybe_unused]] int columns) {
  if constexpr (kDefined<decltype(launch_add_row(dest, src, row, rows, columns))>) {
    launch_add_row(dest, src, row, rows, columns);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int cta_pair(int* dest, int* src, [[maybe_unused]] int pairs) {
  if constexpr (kDefined<decltype(launch_add_pairs(dest, src, pairs))>) {
    launch_add_pairs(dest, src, pairs);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  int* const dest = static_cast<int*>(arguments->pointers[0]);
  int* const src = static_cast<int*>(arguments->pointers[1]);
  const int first = static_cast<int>(arguments->integers[0]);
  const int second = static_cast<int>(arguments->integers[1]);
  if (std::strcmp(part, "multicast") == 0) return entry::multicast(dest, src, first);
  if (std::strcmp(part, "row-broadcast") == 0) {
    return entry::row_broadcast(dest, src, first, second);
  }
  if (std::strcmp(part, "rotate") == 0) return entry::rotate(dest, src, first, second);
  if (std::strcmp(part, "cache-policy") == 0) {
    const int* const row = static_cast<const int*>(arguments->pointers[2]);
    return entry::cache_policy(dest, src, row, first, second);
  }
  if (std::strcmp(part, "cta-pair") == 0) return entry::cta_pair(dest, src, first);
  return kSubmissionUnknownPart;
}
