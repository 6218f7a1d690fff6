// Binds the launchers of lab7-warp-scheduler to the runner. Compiled once for each submission,
// together with the student's file.

#include <cuda_bf16.h>

#include <cstddef>
#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_multiwarp_pipeline(...);
entry::Missing launch_axpy(...);

namespace entry {

using Element = __nv_bfloat16;

int pipeline(Element* dest, Element* src, [[maybe_unused]] int count) {
  if constexpr (kDefined<decltype(launch_multiwarp_pipeline(dest, src, count))>) {
    launch_multiwarp_pipeline(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int axpy([[maybe_unused]] float a, const float* x, float* y, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_axpy(a, x, y, count))>) {
    launch_axpy(a, x, y, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  void* const* const pointers = arguments->pointers;
  if (std::strcmp(part, "pipeline") == 0) {
    return entry::pipeline(static_cast<entry::Element*>(pointers[0]),
                           static_cast<entry::Element*>(pointers[1]),
                           static_cast<int>(arguments->integers[0]));
  }
  if (std::strcmp(part, "axpy") == 0) {
    return entry::axpy(static_cast<float>(arguments->real(0)),
                       static_cast<const float*>(pointers[0]), static_cast<float*>(pointers[1]),
                       static_cast<std::size_t>(arguments->integers[1]));
  }
  return kSubmissionUnknownPart;
}
