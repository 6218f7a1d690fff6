#include "emulator/runtime/state/copy.h"

#include <cstring>
#include <string>

#include "common/hexadecimal.h"
#include "emulator/device/device.h"
#include "emulator/memory/address_space.h"
#include "emulator/runtime/state/context.h"

namespace tmaemu::runtime {
namespace {

GlobalMemory& memory() {
  return Device::instance().memory();
}

// Bytes from the first to behind the last that the rows touch.
std::size_t span_of(const Rows& rows, const Extent& extent) {
  return (extent.depth - 1) * rows.slice_pitch + (extent.height - 1) * rows.pitch + extent.width;
}

// The host's view of one side of a copy; null where the device has no such memory.
std::byte* view(const Rows& rows, const Extent& extent, bool on_device) {
  const auto address = reinterpret_cast<std::uint64_t>(rows.start);
  // A device pointer passed for a host pointer works, since addresses are unified.
  const bool device_address = address - device_range < device_range_size;
  if (!on_device && !device_address) return static_cast<std::byte*>(rows.start);
  return memory().translate(address, span_of(rows, extent));
}

Error refuse(const char* call, const char* side, const Rows& rows, const Extent& extent) {
  const auto address = reinterpret_cast<std::uint64_t>(rows.start);
  explain(std::string(call) + " refused: the " + side + ", " +
          std::to_string(span_of(rows, extent)) + " bytes at " + common::hexadecimal(address) +
          ", is not all device memory; at its start: " + memory().describe(address));
  return Error::invalid_value;
}

bool contiguous(const Rows& rows, const Extent& extent) {
  return (extent.height == 1 || rows.pitch == extent.width) &&
         (extent.depth == 1 || rows.slice_pitch == extent.width * extent.height);
}

Error perform(const CopyRequest& request) {
  const Extent& extent = request.extent;
  const bool to_device =
      request.kind == CopyKind::host_to_device || request.kind == CopyKind::device_to_device;
  const bool from_device =
      request.kind == CopyKind::device_to_host || request.kind == CopyKind::device_to_device;
  std::byte* destination = view(request.destination, extent, to_device);
  const std::byte* source = view(request.source, extent, from_device);
  if (destination == nullptr) {
    return refuse(request.call, "destination", request.destination, extent);
  }
  if (source == nullptr) return refuse(request.call, "source", request.source, extent);
  if (contiguous(request.destination, extent) && contiguous(request.source, extent)) {
    std::memmove(destination, source, extent.width * extent.height * extent.depth);
    return Error::success;
  }
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    for (std::size_t row = 0; row < extent.height; ++row) {
      std::memmove(
          destination + slice * request.destination.slice_pitch + row * request.destination.pitch,
          source + slice * request.source.slice_pitch + row * request.source.pitch, extent.width);
    }
  }
  return Error::success;
}

bool pitch_fits(const Rows& rows, const Extent& extent) {
  return extent.height == 1 || rows.pitch >= extent.width;
}

void fill_row(std::byte* row, const FillRequest& request) {
  const std::size_t bytes = request.extent.width * request.element_size;
  if (request.element_size == 1) {
    std::memset(row, static_cast<int>(request.value & 0xFF), bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += request.element_size) {
    std::memcpy(row + at, &request.value, request.element_size);
  }
}

Error perform(const FillRequest& request) {
  const Extent bytes{request.extent.width * request.element_size, request.extent.height,
                     request.extent.depth};
  std::byte* destination = view(request.destination, bytes, true);
  if (destination == nullptr) {
    return refuse(request.call, "destination", request.destination, bytes);
  }
  for (std::size_t slice = 0; slice < bytes.depth; ++slice) {
    for (std::size_t row = 0; row < bytes.height; ++row) {
      fill_row(
          destination + slice * request.destination.slice_pitch + row * request.destination.pitch,
          request);
    }
  }
  return Error::success;
}

}  // namespace

CopyRequest linear_copy(const char* call, void* destination, const void* source, std::size_t size,
                        CopyKind kind) {
  return {
      call, {destination, size, size}, {const_cast<void*>(source), size, size}, {size, 1, 1}, kind};
}

Error copy_async(const CopyRequest& request, Stream& stream) {
  if (request.kind < CopyKind::host_to_host || request.kind > CopyKind::inferred) {
    return Error::invalid_memcpy_direction;
  }
  if (request.extent.empty()) return Error::success;
  if (!pitch_fits(request.destination, request.extent) ||
      !pitch_fits(request.source, request.extent)) {
    return Error::invalid_pitch;
  }
  if (request.destination.start == nullptr || request.source.start == nullptr) {
    explain(std::string(request.call) + " refused: a null pointer");
    return Error::invalid_value;
  }
  return Streams::instance().submit(stream, NodeKind::memcpy,
                                    [request] { return perform(request); });
}

Error copy(const CopyRequest& request, Stream& stream) {
  Error error = Streams::instance().check_may_wait(stream);
  if (error == Error::success) error = FaultState::instance().synchronise();
  if (error == Error::success) error = copy_async(request, stream);
  return error;
}

Error fill(const FillRequest& request, Stream& stream) {
  const Extent bytes{request.extent.width * request.element_size, request.extent.height,
                     request.extent.depth};
  if (bytes.empty()) return Error::success;
  if (!pitch_fits(request.destination, bytes)) return Error::invalid_pitch;
  return Streams::instance().submit(stream, NodeKind::memset,
                                    [request] { return perform(request); });
}

}  // namespace tmaemu::runtime
