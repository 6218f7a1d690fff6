// Binds the launchers of lab5-tensor-ranks to the runner. Compiled once for each submission,
// together with the student's file.

#include <cuda_bf16.h>

#include <array>
#include <cstring>

#include "checks/lab5-tensor-ranks/elements.h"
#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
template <typename, int>
entry::Missing launch_copy_boxes(...);
template <typename>
entry::Missing launch_pad(...);
entry::Missing launch_subsample(...);
template <int>
entry::Missing launch_slice(...);
entry::Missing launch_stencil(...);

namespace entry {

// COUNT of the call's integers, from number `first` on.
template <std::size_t COUNT>
std::array<int, COUNT> integers(const SubmissionArguments& arguments, int first) {
  std::array<int, COUNT> made;
  for (std::size_t i = 0; i < COUNT; ++i) {
    made[i] = static_cast<int>(arguments.integers[first + i]);
  }
  return made;
}

// Calls run with the call's two pointers, dest and src, as pointers to T.
template <typename T, class Run>
int with_pointers(const SubmissionArguments& arguments, Run run) {
  return run(static_cast<T*>(arguments.pointers[0]), static_cast<const T*>(arguments.pointers[1]));
}

// The same for the element type that the call's first integer names.
template <class Run>
int with_element(const SubmissionArguments& arguments, Run run) {
  switch (arguments.integers[0]) {
    case lab5::kFloat:
      return with_pointers<float>(arguments, run);
    case lab5::kInt:
      return with_pointers<int>(arguments, run);
    case lab5::kBfloat16:
      return with_pointers<__nv_bfloat16>(arguments, run);
  }
  return kSubmissionUnknownPart;
}

// The integers: element, rank, sizes.
template <int RANK>
int boxes(const SubmissionArguments& arguments) {
  const std::array<int, RANK> sizes = integers<RANK>(arguments, 2);
  return with_element(arguments, [&]<typename T>(T* dest, const T* src) {
    if constexpr (kDefined<decltype(launch_copy_boxes<T, RANK>(dest, src, sizes))>) {
      launch_copy_boxes<T, RANK>(dest, src, sizes);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  });
}

// The integers: element, width, height, pad_columns, pad_rows, with_nan.
int pad(const SubmissionArguments& arguments) {
  const auto [width, height, columns, rows, with_nan] = integers<5>(arguments, 1);
  return with_element(arguments, [&, w = width, h = height, c = columns, r = rows,
                                  nan = with_nan != 0]<typename T>(T* dest, const T* src) {
    if constexpr (kDefined<decltype(launch_pad<T>(dest, src, w, h, c, r, nan))>) {
      launch_pad<T>(dest, src, w, h, c, r, nan);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  });
}

// The integers: width, height, step_x, step_y.
int element_strides(float* dest, const float* src, [[maybe_unused]] std::array<int, 4> n) {
  if constexpr (kDefined<decltype(launch_subsample(dest, src, n[0], n[1], n[2], n[3]))>) {
    launch_subsample(dest, src, n[0], n[1], n[2], n[3]);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

// The integers: rank, dims, sizes, offsets.
template <int RANK>
int slices(const SubmissionArguments& arguments) {
  const std::array<int, 2> dims = integers<2>(arguments, 1);
  const std::array<int, RANK> sizes = integers<RANK>(arguments, 3);
  const std::array<int, RANK> offsets = integers<RANK>(arguments, 3 + RANK);
  return with_pointers<float>(arguments, [&](float* dest, const float* src) {
    if constexpr (kDefined<decltype(launch_slice<RANK>(dest, src, sizes, dims, offsets))>) {
      launch_slice<RANK>(dest, src, sizes, dims, offsets);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  });
}

// The integers: nx, ny, nz.
int stencil(float* dest, const float* src, [[maybe_unused]] std::array<int, 3> n) {
  if constexpr (kDefined<decltype(launch_stencil(dest, src, n[0], n[1], n[2]))>) {
    launch_stencil(dest, src, n[0], n[1], n[2]);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

int boxes_of_any_rank(const SubmissionArguments& arguments) {
  switch (arguments.integers[1]) {
    case 1:
      return boxes<1>(arguments);
    case 2:
      return boxes<2>(arguments);
    case 3:
      return boxes<3>(arguments);
    case 4:
      return boxes<4>(arguments);
    case 5:
      return boxes<5>(arguments);
  }
  return kSubmissionUnknownPart;
}

int slices_of_any_rank(const SubmissionArguments& arguments) {
  switch (arguments.integers[0]) {
    case 2:
      return slices<2>(arguments);
    case 3:
      return slices<3>(arguments);
    case 4:
      return slices<4>(arguments);
    case 5:
      return slices<5>(arguments);
  }
  return kSubmissionUnknownPart;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  float* const dest = static_cast<float*>(arguments->pointers[0]);
  const float* const src = static_cast<const float*>(arguments->pointers[1]);
  if (std::strcmp(part, "boxes") == 0) return entry::boxes_of_any_rank(*arguments);
  if (std::strcmp(part, "pad") == 0) return entry::pad(*arguments);
  if (std::strcmp(part, "element-strides") == 0) {
    return entry::element_strides(dest, src, entry::integers<4>(*arguments, 0));
  }
  if (std::strcmp(part, "slices") == 0) return entry::slices_of_any_rank(*arguments);
  if (std::strcmp(part, "stencil") == 0) {
    return entry::stencil(dest, src, entry::integers<3>(*arguments, 0));
  }
  return kSubmissionUnknownPart;
}
