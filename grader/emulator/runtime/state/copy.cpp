#include "emulator/runtime/state/copy.h"

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/hexadecimal.h"
#include "emulator/device/device.h"
#include "emulator/memory/address_space.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/node_parameters.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

// Bytes from the first to behind the last that the rows touch.
std::size_t span_of(const Rows& rows, const Extent& extent) {
  // Beyond any memory where the sum is beyond any number: pitches may be anything.
  std::size_t slices = 0;
  std::size_t span = 0;
  const bool too_large = __builtin_mul_overflow(extent.depth - 1, rows.slice_pitch, &slices) ||
                         __builtin_mul_overflow(extent.height - 1, rows.pitch, &span) ||
                         __builtin_add_overflow(span, slices, &span) ||
                         __builtin_add_overflow(span, extent.width, &span);
  return too_large ? SIZE_MAX : span;
}

bool is_on_device(const Rows& rows) {
  return reinterpret_cast<std::uint64_t>(rows.start) - device_range < device_range_size;
}

// The host's view of one side of a copy; null where the device has no such memory.
std::byte* view(const Rows& rows, const Extent& extent, bool on_device) {
  // A device pointer passed for a host pointer works, since addresses are unified.
  std::byte* const seen =
      device_memory().translate(reinterpret_cast<std::uint64_t>(rows.start), span_of(rows, extent));
  // What the host has beside its allocations is nobody's business.
  const bool is_hosts_own = seen == nullptr && !on_device && !is_on_device(rows);
  return is_hosts_own ? static_cast<std::byte*>(rows.start) : seen;
}

Error refuse(const char* call, const char* side, const Rows& rows, const Extent& extent) {
  const auto address = reinterpret_cast<std::uint64_t>(rows.start);
  explain(std::string(call) + " refused: the " + side + ", " +
          std::to_string(span_of(rows, extent)) + " bytes at " + common::hexadecimal(address) +
          ", is not all device memory; at its start: " + device_memory().describe(address));
  // The driver does not see what is beyond every address.
  const bool unseen = span_of(rows, extent) == SIZE_MAX && extent.height > 1;
  return unseen ? Error::success : Error::invalid_value;
}

bool contiguous(const Rows& rows, const Extent& extent) {
  return (extent.height == 1 || rows.pitch == extent.width) &&
         (extent.depth == 1 || rows.slice_pitch == extent.width * extent.height);
}

// The two have the rows of the request's places, at addresses of this host.
void move_rows(std::byte* destination, const std::byte* source, const CopyRequest& request) {
  const Extent& extent = request.extent;
  if (contiguous(request.destination, extent) && contiguous(request.source, extent)) {
    std::memmove(destination, source, extent.width * extent.height * extent.depth);
    return;
  }
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    for (std::size_t row = 0; row < extent.height; ++row) {
      std::memmove(
          destination + slice * request.destination.slice_pitch + row * request.destination.pitch,
          source + slice * request.source.slice_pitch + row * request.source.pitch, extent.width);
    }
  }
}

// The work of a copy to the device goes into the recording, and is put off. The source of one from
// the host is read now: the program may change it as soon as the call is over.
void record(std::byte* destination, const std::byte* source, const CopyRequest& request) {
  CallLog& log = CallLog::instance();
  if (is_on_device(request.source)) {
    log.copy(request, [=] {
      move_rows(destination, source, request);
      return Error::success;
    });
    return;
  }
  const Extent& extent = request.extent;
  CopyRequest packing = request;
  packing.destination = {nullptr, extent.width, extent.width * extent.height};
  std::vector<std::byte> bytes(extent.width * extent.height * extent.depth);
  move_rows(bytes.data(), source, packing);
  CopyRequest unpacking = request;
  unpacking.source = packing.destination;
  const std::span<const std::byte> packed = bytes;
  log.write(request, packed, [=, bytes = std::move(bytes)] {
    move_rows(destination, bytes.data(), unpacking);
    return Error::success;
  });
}

std::vector<StreamedBytes> pieces_of(const Rows& rows, const Extent& extent,
                                     StreamedBytes::Use use) {
  const auto start = reinterpret_cast<std::uint64_t>(rows.start);
  std::vector<StreamedBytes> pieces;
  if (contiguous(rows, extent)) {
    pieces.push_back({start, span_of(rows, extent), use});
  } else {
    for (std::size_t slice = 0; slice < extent.depth; ++slice) {
      for (std::size_t row = 0; row < extent.height; ++row) {
        const std::uint64_t first = start + slice * rows.slice_pitch + row * rows.pitch;
        pieces.push_back({first, extent.width, use});
      }
    }
  }
  return pieces;
}

bool is_shared_with_host(const Rows& rows) {
  const Region* const region = device_memory().find(reinterpret_cast<std::uint64_t>(rows.start));
  return region != nullptr && region->is_shared_with_host();
}

// Tells the device what a copy or a memset, which stands where the stream's work does, touches.
void note_rows(const Rows& rows, const Extent& extent, StreamedBytes::Use use) {
  const StreamPlace* const place = Streams::instance().current();
  if (place == nullptr || !(place->has_other_streams || is_shared_with_host(rows))) return;
  Device::instance().note_use(*place, pieces_of(rows, extent, use));
}

void note_copied(const CopyRequest& request) {
  const Extent& extent = request.extent;
  note_rows(request.source, extent, StreamedBytes::Use::read);
  note_rows(request.destination, extent, StreamedBytes::Use::written);
  if (!Device::instance().is_measuring()) return;
  std::vector<StreamedBytes> pieces;
  const auto add = [&](const Rows& rows, StreamedBytes::Use use) {
    if (is_on_device(rows)) std::ranges::copy(pieces_of(rows, extent, use), back_inserter(pieces));
  };
  add(request.source, StreamedBytes::Use::read);
  add(request.destination, StreamedBytes::Use::written);
  Device::instance().measure_copy(pieces);
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
  note_copied(request);
  if (!is_on_device(request.destination)) {
    if (is_on_device(request.source)) CallLog::instance().before_host_reads();
    move_rows(destination, source, request);
  } else if (CallLog::instance().is_recording()) {
    record(destination, source, request);
  } else {
    move_rows(destination, source, request);
  }
  return Error::success;
}

// No memory has so many bytes.
bool is_beyond_all(const Extent& extent) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(extent.width, extent.height, &bytes) ||
         __builtin_mul_overflow(bytes, extent.depth, &bytes);
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

void fill_rows(std::byte* destination, const FillRequest& request) {
  for (std::size_t slice = 0; slice < request.extent.depth; ++slice) {
    for (std::size_t row = 0; row < request.extent.height; ++row) {
      fill_row(
          destination + slice * request.destination.slice_pitch + row * request.destination.pitch,
          request);
    }
  }
}

Error perform(const FillRequest& request) {
  const Extent bytes{request.extent.width * request.element_size, request.extent.height,
                     request.extent.depth};
  std::byte* destination = view(request.destination, bytes, true);
  if (destination == nullptr) {
    const Error error = refuse(request.call, "destination", request.destination, bytes);
    const bool unseen = span_of(request.destination, bytes) == SIZE_MAX;
    if (!unseen) return error;
    FaultState::instance().fault(Error::illegal_address);
    return Error::success;
  }
  note_rows(request.destination, bytes, StreamedBytes::Use::written);
  if (CallLog::instance().is_recording() && is_on_device(request.destination)) {
    CallLog::instance().fill(request, [=] {
      fill_rows(destination, request);
      return Error::success;
    });
  } else {
    fill_rows(destination, request);
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
  if (request.extent.empty()) return Error::success;
  if (request.kind < CopyKind::host_to_host || request.kind > CopyKind::inferred) {
    return Error::invalid_memcpy_direction;
  }
  if (is_beyond_all(request.extent)) return Error::invalid_value;
  // A pitch that a single row does not need is 0 or fits all the same.
  for (const std::size_t pitch : {request.destination.pitch, request.source.pitch}) {
    const bool single = request.extent.height == 1 && request.extent.depth == 1;
    if (single && pitch != 0 && pitch < request.extent.width) return Error::invalid_value;
  }
  if (!pitch_fits(request.destination, request.extent) ||
      !pitch_fits(request.source, request.extent)) {
    return Error::invalid_pitch;
  }
  if (request.destination.start == nullptr || request.source.start == nullptr) {
    explain(std::string(request.call) + " refused: a null pointer");
    return Error::invalid_value;
  }
  const Error error =
      Streams::instance().submit(stream, NodeKind::memcpy, [request] { return perform(request); });
  if (error == Error::success && stream.capture) note_captured(stream, request);
  // What comes to memory that is not pinned is there when the call returns. CUDA Runtime API, "API
  // synchronization behavior".
  const bool is_pageable =
      device_memory().find(reinterpret_cast<std::uint64_t>(request.destination.start)) == nullptr;
  if (is_pageable && !stream.capture) Streams::instance().host_may_know(stream.known);
  return error;
}

Error copy(const CopyRequest& request, Stream& stream) {
  Error error = Streams::instance().check_may_wait(stream);
  if (!is_on_device(request.destination)) CallLog::instance().before_host_reads();
  if (error == Error::success) error = FaultState::instance().report();
  if (error == Error::success) error = copy_async(request, stream);
  if (error == Error::success) Streams::instance().host_waits_for(stream);
  return error;
}

Error fill(const FillRequest& request, Stream& stream) {
  const Extent bytes{request.extent.width * request.element_size, request.extent.height,
                     request.extent.depth};
  if (bytes.empty()) return Error::success;
  if (!pitch_fits(request.destination, bytes)) return Error::invalid_value;
  const Error error =
      Streams::instance().submit(stream, NodeKind::memset, [request] { return perform(request); });
  if (error == Error::success && stream.capture) note_captured(stream, request);
  // Of such memory the calls wait for the device. CUDA Runtime API, "API synchronization behavior".
  if (is_shared_with_host(request.destination) && !stream.capture) {
    Streams::instance().host_may_know(stream.known);
  }
  return error;
}

}  // namespace tmaemu::runtime
