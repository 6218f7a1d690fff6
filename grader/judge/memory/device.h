// The judge's view of the device: memory that it owns and a runner may map. Tests put host memory
// in its place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "common/result.h"

namespace judge {

using MemoryHandle = std::array<std::byte, 64>;  // a cudaIpcMemHandle_t

struct DeviceFacts {
  std::string name;
  int sm = 0;  // 90 for compute capability 9.0
  bool emulated = false;
  double peak_gb_per_s = 0;  // memory clock times bus width; 0 where the device does not tell
  double peak_gflop_per_s =
      0;  // of its tensor cores, in bfloat16, at their highest clock; likewise
  std::size_t memory_bytes = 0;
};

// CUDA puts smaller allocations side by side in blocks of this size, and a process that maps one of
// them maps the block. An allocation of a multiple of it stands alone, and another process maps it
// in large pages; in small ones a kernel reaches half the bandwidth (seen on an H200).
inline constexpr std::size_t block_bytes = std::size_t{2} << 20;

class Device;

// Device memory that is freed at the end of its scope. A runner that maps it has to be gone, or to
// have closed it, by then (CUDA leaves the other order undefined).
class DeviceMemory {
 public:
  DeviceMemory(Device& device, void* address) : device_(&device), address_(address) {}
  DeviceMemory(DeviceMemory&& other) noexcept
      : device_(other.device_), address_(std::exchange(other.address_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  ~DeviceMemory();

  void* address() const { return address_; }

 private:
  Device* device_;
  void* address_;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceFacts facts() const = 0;
  virtual common::Result<DeviceMemory> allocate(std::size_t bytes) = 0;
  virtual common::Result<MemoryHandle> handle(const DeviceMemory& memory) = 0;
  // Of a piece that begins `offset` bytes behind the memory's start. Either comes back when all of
  // it is there, for other processes, too.
  virtual common::Status write(const DeviceMemory& to, std::size_t offset,
                               std::span<const std::byte> from) = 0;
  virtual common::Status read(std::span<std::byte> to, const DeviceMemory& from,
                              std::size_t offset) = 0;
  // "cudaErrorIllegalAddress (700): an illegal memory access was encountered"
  virtual std::string error_meaning(std::int32_t cuda_error) const = 0;

 private:
  friend class DeviceMemory;
  virtual void free(void* address) = 0;
};

inline DeviceMemory::~DeviceMemory() {
  if (address_ != nullptr) device_->free(address_);
}

}  // namespace judge
