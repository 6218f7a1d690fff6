// Binds the launchers of lab4-single-tile to the runner. Compiled once for each submission,
// together with the student's file.

#include <cuda_bf16.h>

#include <cstring>
#include <utility>

#include "checks/lab4-single-tile/tile_shapes.h"
#include "runner/submission_entry.h"
#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Chosen where the student's file defines no such launcher.
template <int, int>
entry::Missing launch_single_tma_load(...);
template <int, int>
entry::Missing launch_single_tma_store(...);
template <int, int>
entry::Missing launch_single_tma_reduce(...);
entry::Missing launch_add_tile_index(...);

namespace entry {

using Element = __nv_bfloat16;

struct Load {
  template <int ROWS, int COLUMNS>
  static int call(Element* src, Element* dest) {
    if constexpr (kDefined<decltype(launch_single_tma_load<ROWS, COLUMNS>(src, dest))>) {
      launch_single_tma_load<ROWS, COLUMNS>(src, dest);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  }
};

struct Store {
  template <int ROWS, int COLUMNS>
  static int call(Element* src, Element* dest) {
    if constexpr (kDefined<decltype(launch_single_tma_store<ROWS, COLUMNS>(src, dest))>) {
      launch_single_tma_store<ROWS, COLUMNS>(src, dest);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  }
};

struct Reduce {
  template <int ROWS, int COLUMNS>
  static int call(Element* src, Element* dest) {
    if constexpr (kDefined<decltype(launch_single_tma_reduce<ROWS, COLUMNS>(src, dest))>) {
      launch_single_tma_reduce<ROWS, COLUMNS>(src, dest);
      return kSubmissionCalled;
    }
    return kSubmissionMissing;
  }
};

// Calls the launcher made for the tile shape that the integers name.
template <class Launcher, std::size_t... I>
int call_tiled(const SubmissionArguments& arguments, std::index_sequence<I...>) {
  auto* const src = static_cast<Element*>(arguments.pointers[0]);
  auto* const dest = static_cast<Element*>(arguments.pointers[1]);
  int status = kSubmissionUnknownPart;
  ((arguments.integers[0] == kTileShapes[I].rows && arguments.integers[1] == kTileShapes[I].columns
        ? void(status =
                   Launcher::template call<kTileShapes[I].rows, kTileShapes[I].columns>(src, dest))
        : void()),
   ...);
  return status;
}

template <class Launcher>
int call_tiled(const SubmissionArguments& arguments) {
  return call_tiled<Launcher>(arguments, std::make_index_sequence<kTileShapeCount>());
}

int tile_index(float* matrix, [[maybe_unused]] int height, [[maybe_unused]] int width) {
  if constexpr (kDefined<decltype(launch_add_tile_index(matrix, height, width))>) {
    launch_add_tile_index(matrix, height, width);
    return kSubmissionCalled;
  }
  return kSubmissionMissing;
}

}  // namespace entry

extern "C" int submission_call(const char* part, const SubmissionArguments* arguments) {
  if (std::strcmp(part, "load") == 0) return entry::call_tiled<entry::Load>(*arguments);
  if (std::strcmp(part, "store") == 0) return entry::call_tiled<entry::Store>(*arguments);
  if (std::strcmp(part, "reduce") == 0) return entry::call_tiled<entry::Reduce>(*arguments);
  if (std::strcmp(part, "tile-index") == 0) {
    return entry::tile_index(static_cast<float*>(arguments->pointers[0]),
                             static_cast<int>(arguments->integers[0]),
                             static_cast<int>(arguments->integers[1]));
  }
  return kSubmissionUnknownPart;
}
