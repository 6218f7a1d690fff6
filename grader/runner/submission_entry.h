// The C interface between a submission's library and the runner that loads it. A lab's
// checks/<lab>/entry.cu is compiled together with the student's file and defines submission_call.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

// What a part is called with: its pointers and its numbers, each in the order of the launcher's
// parameters (template parameters come first). A floating-point number travels as the bits of a
// double.
struct SubmissionArguments {
  static constexpr int kMax = 16;
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

namespace entry {

// What a launcher returns that the student's file does not define. entry.cu declares, after that
// file, an overload of every launcher that takes an ellipsis and returns this: an ellipsis loses
// against every other overload, so it is chosen only where the file declares no launcher that takes
// the arguments. (Before the file it would make an overload set of a launcher whose address the
// student takes.) It is never called.
struct Missing {};

template <class Result>
inline constexpr bool kDefined = !std::is_same_v<Result, Missing>;

}  // namespace entry
