// Binds the launchers of lab6-memcpy to the runner. Compiled once for each submission, together
// with the student's file.

#include <cuda_bf16.h>

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_tma_copy(...);
entry::Missing launch_tma_memcpy(...);

namespace entry {

using Element = __nv_bfloat16;

int tma_copy(Element* dest, Element* src, [[maybe_unused]] int count) {
  if constexpr (kDefined<decltype(launch_tma_copy(dest, src, count))>) {
    launch_tma_copy(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int tma_memcpy(void* dest, const void* src, [[maybe_unused]] std::size_t bytes) {
  if constexpr (kDefined<decltype(launch_tma_memcpy(dest, src, bytes))>) {
    launch_tma_memcpy(dest, src, bytes);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  void* const dest = arguments->pointers[0];
  void* const src = arguments->pointers[1];
  const std::int64_t count = arguments->integers[0];
  if (std::strcmp(part, "tma-copy") == 0) {
    return entry::tma_copy(static_cast<entry::Element*>(dest), static_cast<entry::Element*>(src),
                           static_cast<int>(count));
  }
  if (std::strcmp(part, "memcpy") == 0) {
    return entry::tma_memcpy(dest, src, static_cast<std::size_t>(count));
  }
  return kSubmissionUnknownPart;
}
