// The C interface between a submission's library and the runner that loads it. A lab's
// checks/<lab>/entry.cu is compiled together with the student's file and defines submission_call.
#pragma once

#include <cstdint>
#include <cstring>

// What a part is called with: its pointers and its numbers, each in the order of the launcher's
// parameters (template parameters come first). A floating-point number travels as the bits of a
// double.
struct SubmissionArguments {
  static constexpr int kMax = 8;
  void* pointers[kMax];
  std::int64_t integers[kMax];

  double real(int index) const {
    double value;
    std::memcpy(&value, &integers[index], sizeof value);
    return value;
  }
};

enum SubmissionStatus : int {
  kSubmissionCalled = 0,
  kSubmissionMissing = 1,      // the student's file defines no launcher for the part
  kSubmissionUnknownPart = 2,  // the lab has no such part, or no such template arguments
};

// Calls the launcher of `part`. Work may stay asynchronous: the runner synchronises afterwards.
extern "C" __attribute__((visibility("default"))) int submission_call(
    const char* part, const SubmissionArguments* arguments);
