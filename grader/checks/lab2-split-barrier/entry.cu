// Binds the launchers of lab2-split-barrier to the runner. Compiled once for each submission,
// together with the student's file.

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_add_neighbors(...);
entry::Missing launch_sum(...);
entry::Missing launch_subtract_smallest(...);
entry::Missing launch_reverse_tiles(...);

namespace entry {

int phases(int* data, [[maybe_unused]] int rounds) {
  if constexpr (kDefined<decltype(launch_add_neighbors(data, rounds))>) {
    launch_add_neighbors(data, rounds);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int several_arrivals(unsigned* result, const unsigned* data, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_sum(result, data, count))>) {
    launch_sum(result, data, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int work_while_waiting(int* dest, const int* src, [[maybe_unused]] int count) {
  if constexpr (kDefined<decltype(launch_subtract_smallest(dest, src, count))>) {
    launch_subtract_smallest(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int ping_pong(int* dest, const int* src, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_reverse_tiles(dest, src, count))>) {
    launch_reverse_tiles(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  int* const first = static_cast<int*>(arguments->pointers[0]);
  const int* const second = static_cast<const int*>(arguments->pointers[1]);
  const auto number = static_cast<std::size_t>(arguments->integers[0]);
  if (std::strcmp(part, "phases") == 0) return entry::phases(first, static_cast<int>(number));
  if (std::strcmp(part, "several-arrivals") == 0) {
    return entry::several_arrivals(reinterpret_cast<unsigned*>(first),
                                   reinterpret_cast<const unsigned*>(second), number);
  }
  if (std::strcmp(part, "work-while-waiting") == 0) {
    return entry::work_while_waiting(first, second, static_cast<int>(number));
  }
  if (std::strcmp(part, "ping-pong") == 0) return entry::ping_pong(first, second, number);
  return kSubmissionUnknownPart;
}
