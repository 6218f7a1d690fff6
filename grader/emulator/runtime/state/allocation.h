// Memory that programs ask for: on the device, pinned on the host, managed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/device/device.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

// Rows of pitched allocations start at multiples of this, as on an H200.
inline constexpr std::size_t pitch_alignment = 512;

// What cudaMemGetInfo says. The device's context has its share of the memory, and programs' memory
// comes from blocks of 2 MiB, as on an H200 (driver 580).
std::size_t total_memory();
std::size_t free_memory();

// A size of 0 gives a null pointer, as cudaMalloc does.
Error allocate_device(std::size_t size, void*& pointer);
Error allocate_pitched(std::size_t width, std::size_t rows, void*& pointer, std::size_t& pitch);
// Frees device and managed memory. Null is allowed. Any other pointer: invalid_value, and stderr
// says what it is; `call` names the caller's function there.
Error free_device(const char* call, void* pointer);

Error allocate_host(std::size_t size, unsigned flags, void*& pointer);
// Frees pinned memory; otherwise as above.
Error free_host(const char* call, void* pointer);
Error register_host(void* pointer, std::size_t size, unsigned flags);
Error unregister_host(void* pointer);
// The flags that host memory was allocated or registered with.
Error host_flags(void* pointer, unsigned& flags);

// Frees everything, as the end of the context does.
void release_all_memory();

Error allocate_managed(std::size_t size, void*& pointer);

Error share(void* pointer, SharedHandle& handle);
Error open_shared(const SharedHandle& handle, void*& pointer);
// The same for `size` bytes of a file, whose start is a multiple of a page.
Error open_file(const GlobalMemory::FilePiece& piece, std::size_t size, void*& pointer);
Error close_shared(void* pointer);

// The allocation around a pointer; null where CUDA knows none.
const Region* find_region(const void* pointer);

// The global memory of the one device there is.
inline GlobalMemory& device_memory() {
  return Device::instance().memory();
}

}  // namespace tmaemu::runtime
