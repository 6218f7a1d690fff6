// The device that the process's CUDA runtime offers: a GPU, or the emulator.
#pragma once

#include "judge/memory/device.h"

namespace judge {

class CudaDevice : public Device {
 public:
  static common::Result<CudaDevice> open();

  DeviceFacts facts() const override { return facts_; }
  common::Result<DeviceMemory> allocate(std::size_t bytes) override;
  common::Result<MemoryHandle> handle(const DeviceMemory& memory) override;
  common::Status write(const DeviceMemory& to, std::size_t offset,
                       std::span<const std::byte> from) override;
  common::Status read(std::span<std::byte> to, const DeviceMemory& from,
                      std::size_t offset) override;
  std::string error_meaning(std::int32_t cuda_error) const override;

 private:
  explicit CudaDevice(DeviceFacts facts) : facts_(std::move(facts)) {}
  void free(void* address) override;

  DeviceFacts facts_;
};

}  // namespace judge
