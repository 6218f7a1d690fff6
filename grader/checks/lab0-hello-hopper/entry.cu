// Binds the functions of lab0-hello-hopper to the runner. Compiled once for each submission,
// together with the student's file.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <iterator>

#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such function.
entry::Missing query_device(...);
entry::Missing launch_copy(...);
entry::Missing launch_vector_copy(...);
entry::Missing copy_gb_per_s(...);

namespace entry {

// Results on the host go back through the judge's buffer.
template <class T>
void put(T* out, const T& value, std::size_t index) {
  cudaMemcpy(out + index, &value, sizeof value, cudaMemcpyHostToDevice);
}

template <class Facts>
void put_facts(int* out, const Facts& facts) {
  const int values[] = {facts.sms,
                        facts.max_threads_per_sm,
                        facts.registers_per_sm,
                        facts.shared_bytes_per_sm,
                        facts.shared_bytes_per_cta,
                        facts.l2_bytes,
                        facts.peak_gb_per_s,
                        facts.bytes_in_flight_per_sm};
  for (std::size_t i = 0; i < std::size(values); ++i) put(out, values[i], i);
}

template <class Result = decltype(query_device(0))>
int facts(int* out) {
  if constexpr (kDefined<Result>) {
    put_facts(out, query_device(0));
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int copy(float* dest, const float* src, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_copy(dest, src, count))>) {
    launch_copy(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int vector_copy(float* dest, const float* src, [[maybe_unused]] std::size_t count) {
  if constexpr (kDefined<decltype(launch_vector_copy(dest, src, count))>) {
    launch_vector_copy(dest, src, count);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

template <class Result = decltype(copy_gb_per_s(std::size_t{}, double{}))>
int gb_per_s(float* out, std::size_t bytes, double milliseconds) {
  if constexpr (kDefined<Result>) {
    put(out, static_cast<float>(copy_gb_per_s(bytes, milliseconds)), 0);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  void* const first = arguments->pointers[0];
  const auto* const second = static_cast<const float*>(arguments->pointers[1]);
  const auto count = static_cast<std::size_t>(arguments->integers[0]);
  if (std::strcmp(part, "facts") == 0) return entry::facts(static_cast<int*>(first));
  if (std::strcmp(part, "copy") == 0) return entry::copy(static_cast<float*>(first), second, count);
  if (std::strcmp(part, "vector-copy") == 0) {
    return entry::vector_copy(static_cast<float*>(first), second, count);
  }
  if (std::strcmp(part, "gb-per-s") == 0) {
    return entry::gb_per_s(static_cast<float*>(first), count, arguments->real(1));
  }
  return kSubmissionUnknownPart;
}
