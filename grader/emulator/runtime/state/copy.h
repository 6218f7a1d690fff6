// Copies and fills between any two memories.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

// Values equal cudaMemcpyKind's.
enum class CopyKind : int {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  inferred = 4,
};

// Where the rows of a copy or a fill start: row r of slice s at start + s * slice_pitch + r *
// pitch.
struct Rows {
  void* start = nullptr;
  std::size_t pitch = 0;
  std::size_t slice_pitch = 0;
};

// Bytes a row, rows a slice, slices.
struct Extent {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

struct CopyRequest {
  const char* call = "";  // for explanations: "cudaMemcpy"
  Rows destination;
  Rows source;
  Extent extent;
  CopyKind kind = CopyKind::inferred;
};

CopyRequest linear_copy(const char* call, void* destination, const void* source, std::size_t size,
                        CopyKind kind);

// Checks the request and copies in stream order.
Error copy_async(const CopyRequest& request, Stream& stream);
// The same and waits for it: a fault of an earlier kernel is reported here.
Error copy(const CopyRequest& request, Stream& stream);

struct FillRequest {
  const char* call = "";
  Rows destination;
  Extent extent;  // width in elements
  std::uint32_t value = 0;
  std::size_t element_size = 1;  // 1, 2 or 4 bytes of `value`
};

// Fills in stream order.
Error fill(const FillRequest& request, Stream& stream);

}  // namespace tmaemu::runtime
