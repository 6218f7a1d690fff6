// Binds the launchers of lab8-swizzle to the runner. Compiled once for each submission, together
// with the student's file.

#include <cuda_bf16.h>

#include <cstring>
#include <utility>

#include "checks/lab8-swizzle/swizzled_tiles.h"
#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
template <int, int, int>
entry::Missing launch_tma_swizzle(...);
template <int, int, int, int>
entry::Missing launch_tma_swizzle(...);
entry::Missing launch_transpose(...);

namespace entry {

template <int ROWS, int COLUMNS, int OFFSET>
int swizzle(std::uint8_t* src, std::uint8_t* dest) {
  if constexpr (COLUMNS == 64) {  // as in the public course, which has this swizzle only
    if constexpr (kDefined<decltype(launch_tma_swizzle<ROWS, COLUMNS, OFFSET>(src, dest))>) {
      launch_tma_swizzle<ROWS, COLUMNS, OFFSET>(src, dest);
      return kSubmissionCalled;
    }
  } else if constexpr (kDefined<decltype(launch_tma_swizzle<ROWS, COLUMNS, OFFSET, COLUMNS>(
                           src, dest))>) {
    launch_tma_swizzle<ROWS, COLUMNS, OFFSET, COLUMNS>(src, dest);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

// Calls the launcher made for the tile that the integers name.
template <std::size_t... I>
int swizzle(const SubmissionArguments& arguments, std::index_sequence<I...>) {
  auto* const src = static_cast<std::uint8_t*>(arguments.pointers[0]);
  auto* const dest = static_cast<std::uint8_t*>(arguments.pointers[1]);
  int status = kSubmissionUnknownPart;
  ((arguments.integers[0] == kSwizzledTiles[I].rows &&
            arguments.integers[1] == kSwizzledTiles[I].columns &&
            arguments.integers[2] == kSwizzledTiles[I].offset
        ? void(status = swizzle<kSwizzledTiles[I].rows, kSwizzledTiles[I].columns,
                                kSwizzledTiles[I].offset>(src, dest))
        : void()),
   ...);
  return status;
}

template <class Element>
int transpose(const SubmissionArguments& arguments) {
  auto* const src = static_cast<Element*>(arguments.pointers[0]);
  auto* const dest = static_cast<Element*>(arguments.pointers[1]);
  [[maybe_unused]] const int rows = static_cast<int>(arguments.integers[1]);
  [[maybe_unused]] const int columns = static_cast<int>(arguments.integers[2]);
  if constexpr (kDefined<decltype(launch_transpose(src, dest, rows, columns))>) {
    launch_transpose(src, dest, rows, columns);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  if (std::strcmp(part, "swizzle-64") == 0 || std::strcmp(part, "swizzle-32-128") == 0) {
    return entry::swizzle(*arguments, std::make_index_sequence<kSwizzledTileCount>());
  }
  if (std::strcmp(part, "transpose") == 0 || std::strcmp(part, "any-shape") == 0) {
    return arguments->integers[0] == sizeof(float) ? entry::transpose<float>(*arguments)
                                                   : entry::transpose<__nv_bfloat16>(*arguments);
  }
  return kSubmissionUnknownPart;
}
