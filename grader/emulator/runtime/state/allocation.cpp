#include "emulator/runtime/state/allocation.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "common/round_up.h"
#include "emulator/memory/device_heap.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/graph_memory.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/stream.h"
#include "emulator/runtime/state/virtual_memory.h"

namespace tmaemu::runtime {
namespace {

constexpr std::size_t device_block_size = std::size_t{2} << 20;
constexpr std::size_t context_bytes = 552'402'944;

std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

struct HostBlock {
  unsigned flags = 0;
  bool owned = false;  // ours to free; else only registered
};

// Host memory that the device can see, by its start.
std::unordered_map<void*, HostBlock>& host_blocks() {
  static auto* blocks = new std::unordered_map<void*, HostBlock>;
  return *blocks;
}

// What other processes shared with this one.
std::unordered_set<void*>& imported_blocks() {
  static auto* blocks = new std::unordered_set<void*>;
  return *blocks;
}

// What was allocated here, in contrast to memory of module-scope variables, which no program frees.
std::unordered_set<void*>& device_blocks() {
  static auto* blocks = new std::unordered_set<void*>;
  return *blocks;
}

using common::round_up;

Error allocate_visible_host(std::size_t size, unsigned flags, RegionKind kind, void*& pointer) {
  pointer = nullptr;
  if (size == 0) return Error::success;
  const auto block = device_memory().allocate_host(size, kind);
  if (!block) {
    explain(block.error().message);
    return Error::out_of_memory;
  }
  host_blocks()[*block] = {flags, true};
  pointer = *block;
  CallLog::instance().host_memory();
  return Error::success;
}

// What programs can still have of the device's memory.
std::size_t available_bytes() {
  const std::size_t taken = context_bytes + device_memory().used();
  return taken < device_memory().capacity() ? device_memory().capacity() - taken : 0;
}

Error import(const common::Result<std::uint64_t>& address, void*& pointer) {
  if (!address) {
    explain("cudaIpcOpenMemHandle: " + address.error().message);
    return Error::invalid_value;
  }
  pointer = pointer_to(*address);
  imported_blocks().insert(pointer);
  return Error::success;
}

bool is_owned(void* pointer) {
  const auto found = host_blocks().find(pointer);
  return found != host_blocks().end() && found->second.owned;
}

bool release_host(void* pointer, bool owned) {
  const auto found = host_blocks().find(pointer);
  if (found == host_blocks().end() || found->second.owned != owned) return false;
  host_blocks().erase(found);
  return owned ? device_memory().free_host(pointer) : device_memory().unregister_host(pointer);
}

// Why a call that gives memory back does not take this pointer.
std::string why_not_free(void* pointer) {
  const Region* region = find_region(pointer);
  const auto block = host_blocks().find(pointer);
  if (block != host_blocks().end() && region != nullptr && region->kind == RegionKind::host) {
    return block->second.owned ? "this is pinned host memory, which cudaFreeHost frees"
                               : "this is host memory, which cudaHostUnregister gives back";
  }
  if (block != host_blocks().end()) return "this is managed memory, which cudaFree frees";
  if (device_blocks().contains(pointer)) return "this is device memory, which cudaFree frees";
  return "not the start of an allocation: " + device_memory().describe(address_of(pointer));
}

Error refuse_to_free(const char* call, void* pointer) {
  explain(std::string(call) + ": " + why_not_free(pointer));
  return Error::invalid_value;
}

}  // namespace

std::size_t total_memory() {
  return device_memory().capacity();
}

std::size_t free_memory() {
  const std::size_t taken = context_bytes + round_up(device_memory().used(), device_block_size);
  return taken < total_memory() ? total_memory() - taken : 0;
}

Error allocate_device(std::size_t size, void*& pointer) {
  pointer = nullptr;
  if (size == 0) return Error::success;
  if (size > available_bytes()) {
    explain("out of memory: " + std::to_string(size) + " bytes asked for, " +
            std::to_string(free_memory()) + " of " + std::to_string(total_memory()) + " free");
    return Error::out_of_memory;
  }
  const auto address = device_memory().allocate(size);
  if (!address) {
    explain(address.error().message);
    return Error::out_of_memory;
  }
  pointer = pointer_to(*address);
  device_blocks().insert(pointer);
  CallLog::instance().allocated(size, pointer);
  return Error::success;
}

Error allocate_pitched(std::size_t width, std::size_t rows, void*& pointer, std::size_t& pitch) {
  pitch = round_up(width, pitch_alignment);
  if (pitch < width || (rows != 0 && pitch > SIZE_MAX / rows)) return Error::invalid_value;
  return allocate_device(pitch * rows, pointer);
}

Error free_device(const char* call, void* pointer) {
  if (pointer == nullptr) return Error::success;
  const Region* region = find_region(pointer);
  const bool managed = region != nullptr && region->kind == RegionKind::managed;
  if (managed && release_host(pointer, true)) return Error::success;
  if (device_blocks().erase(pointer) != 0) {
    CallLog::instance().freeing(pointer);
    device_memory().free(address_of(pointer));
    MemoryPools::instance().note_freed(pointer);
    return Error::success;
  }
  if (GraphMemory::instance().has_memory(pointer)) {
    GraphMemory::instance().free(pointer);
    return Error::success;
  }
  return refuse_to_free(call, pointer);
}

Error allocate_host(std::size_t size, unsigned flags, void*& pointer) {
  constexpr unsigned all_flags = 7;  // portable, mapped, write-combined
  if ((flags & ~all_flags) != 0) return Error::invalid_value;
  return allocate_visible_host(size, flags, RegionKind::host, pointer);
}

Error free_host(const char* call, void* pointer) {
  if (pointer == nullptr) return Error::success;
  const Region* region = find_region(pointer);
  const bool pinned = region != nullptr && region->kind == RegionKind::host;
  if (pinned && release_host(pointer, true)) return Error::success;
  return refuse_to_free(call, pointer);
}

Error register_host(void* pointer, std::size_t size, unsigned flags) {
  constexpr unsigned all_flags = 15;  // portable, mapped, I/O memory, read-only
  if (pointer == nullptr || size == 0 || (flags & ~all_flags) != 0) return Error::invalid_value;
  if (is_owned(pointer)) return Error::invalid_value;
  if (!device_memory().register_host(pointer, size, RegionKind::host)) {
    return Error::host_memory_already_registered;
  }
  host_blocks()[pointer] = {flags, false};
  CallLog::instance().host_memory();
  return Error::success;
}

Error unregister_host(void* pointer) {
  if (pointer == nullptr || is_owned(pointer)) return Error::invalid_value;
  Streams::instance().host_waits_for_all();
  return release_host(pointer, false) ? Error::success : Error::host_memory_not_registered;
}

Error host_flags(void* pointer, unsigned& flags) {
  const Region* region = find_region(pointer);
  if (region == nullptr) return Error::invalid_value;
  const auto found = host_blocks().find(pointer_to(region->address));
  if (found == host_blocks().end()) return Error::invalid_value;
  constexpr unsigned mapped = 2;  // under unified addressing all pinned memory is
  flags = found->second.flags | mapped;
  return Error::success;
}

Error allocate_managed(std::size_t size, void*& pointer) {
  CallLog::instance().unsupported("cudaMallocManaged");
  return allocate_visible_host(size, 0, RegionKind::managed, pointer);
}

Error share(void* pointer, SharedHandle& handle) {
  const Region* region = find_region(pointer);
  if (region == nullptr || region->kind != RegionKind::device) return Error::invalid_value;
  const auto shared = device_memory().share(region->address);
  if (!shared) {
    explain("cudaIpcGetMemHandle: " + shared.error().message);
    return Error::invalid_value;
  }
  handle = *shared;
  CallLog::instance().unsupported("cudaIpcGetMemHandle");
  return Error::success;
}

Error open_shared(const SharedHandle& handle, void*& pointer) {
  CallLog::instance().unsupported("cudaIpcOpenMemHandle");
  return import(device_memory().open_shared(handle), pointer);
}

Error open_file(const GlobalMemory::FilePiece& piece, std::size_t size, void*& pointer) {
  return import(device_memory().open_file(piece, size), pointer);
}

Error close_shared(void* pointer) {
  CallLog::instance().settle();
  CallLog::instance().unsupported("cudaIpcCloseMemHandle");
  imported_blocks().erase(pointer);
  return device_memory().close_shared(address_of(pointer)) ? Error::success : Error::invalid_value;
}

void release_all_memory() {
  VirtualMemory::instance().reset();
  GraphMemory::instance().reset();
  DeviceHeap::instance().reset(device_memory());
  for (void* block : device_blocks()) device_memory().free(address_of(block));
  device_blocks().clear();
  for (void* block : imported_blocks()) device_memory().close_shared(address_of(block));
  imported_blocks().clear();
  while (!host_blocks().empty()) {
    const auto& [block, host] = *host_blocks().begin();
    release_host(block, host.owned);
  }
}

const Region* find_region(const void* pointer) {
  return device_memory().find(address_of(pointer));
}

}  // namespace tmaemu::runtime
