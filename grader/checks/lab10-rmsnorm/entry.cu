// Binds the launchers of lab10-rmsnorm to the runner. Compiled once for each submission, together
// with the student's file.

#include <cuda_bf16.h>

#include <cstring>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
entry::Missing launch_rms_norm(...);
entry::Missing launch_add_rms_norm(...);

namespace entry {

using Element = __nv_bfloat16;

struct Shape {
  int rows;
  int columns;
  float eps;
};

int rms_norm(Element* x, Element* weight, Element* y, [[maybe_unused]] Shape shape) {
  if constexpr (kDefined<decltype(launch_rms_norm(x, weight, y, shape.rows, shape.columns,
                                                  shape.eps))>) {
    launch_rms_norm(x, weight, y, shape.rows, shape.columns, shape.eps);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int add_rms_norm(Element* x, Element* residual, Element* weight, Element* y,
                 [[maybe_unused]] Shape shape) {
  if constexpr (kDefined<decltype(launch_add_rms_norm(x, residual, weight, y, shape.rows,
                                                      shape.columns, shape.eps))>) {
    launch_add_rms_norm(x, residual, weight, y, shape.rows, shape.columns, shape.eps);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  const auto pointer = [&](int i) { return static_cast<entry::Element*>(arguments->pointers[i]); };
  const entry::Shape shape{static_cast<int>(arguments->integers[0]),
                           static_cast<int>(arguments->integers[1]),
                           static_cast<float>(arguments->real(2))};
  if (std::strcmp(part, "rms-norm") == 0) {
    return entry::rms_norm(pointer(0), pointer(1), pointer(2), shape);
  }
  if (std::strcmp(part, "add-rms-norm") == 0) {
    return entry::add_rms_norm(pointer(0), pointer(1), pointer(2), pointer(3), shape);
  }
  return kSubmissionUnknownPart;
}
