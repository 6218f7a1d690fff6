// The C interface between a submission's library and the runner that loads it. A lab's
// checks/<lab>/entry.cu is compiled together with the student's file and defines submission_call,
// with the help of bind_parts.h.
#pragma once

#include <cstdint>
#include <cstring>

// What a part is called with: its pointers and its numbers, each in the order of the launcher's
// parameters (template parameters come first). A floating-point number travels as the bits of a
// double.
struct SubmissionArguments {
  static constexpr int capacity = 16;
  void* pointers[capacity];
  std::int64_t integers[capacity];

  double real(int index) const {
    double value;
    std::memcpy(&value, &integers[index], sizeof value);
    return value;
  }
};

// A template's type parameter, as a number among the integers.
enum class SubmissionType : std::int64_t { float32, int32, bfloat16 };

enum SubmissionStatus : int {
  submission_called = 0,
  submission_missing = 1,       // the student's file defines no launcher for the part
  submission_unknown_part = 2,  // the lab has no such part, or no such template arguments
};

// Calls the launcher of `part`. Work may stay asynchronous: the runner synchronizes afterward.
extern "C" __attribute__((visibility("default"))) int submission_call(
    const char* part, const SubmissionArguments* arguments);
