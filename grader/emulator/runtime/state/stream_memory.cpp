#include "emulator/runtime/state/stream_memory.h"

#include <string>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/context.h"

namespace tmaemu::runtime {
namespace {

Error refuse_capture(const char* call) {
  return not_modeled(std::string(call) + " in a captured stream");
}

void note_use(const void* pointer, std::size_t size, StreamedBytes::Use use) {
  const StreamPlace* const place = Streams::instance().current();
  if (place == nullptr) return;
  const StreamedBytes bytes{reinterpret_cast<std::uint64_t>(pointer), size, use};
  Device::instance().note_use(*place, {&bytes, 1});
}

}  // namespace

Error allocate_in(Stream& stream, const char* call, MemoryPool& pool, std::size_t size,
                  void*& pointer) {
  if (stream.capture) return refuse_capture(call);
  const Error error = MemoryPools::instance().allocate(pool, size, pointer);
  if (error != Error::success || pointer == nullptr) return error;
  return Streams::instance().submit(stream, NodeKind::empty, [pointer, size] {
    note_use(pointer, size, StreamedBytes::Use::allocated);
    return Error::success;
  });
}

Error free_in(Stream& stream, const char* call, void* pointer) {
  if (stream.capture) return refuse_capture(call);
  // The memory of a kernel that faulted stays: what lies behind the kernel never runs.
  return Streams::instance().submit(stream, NodeKind::empty, [call, pointer] {
    const Region* const region = pointer == nullptr ? nullptr : find_region(pointer);
    if (region != nullptr) note_use(pointer, region->size, StreamedBytes::Use::freed);
    return free_device(call, pointer);
  });
}

}  // namespace tmaemu::runtime
