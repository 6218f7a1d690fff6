// Device memory for a replay: pieces of an anonymous file that only the judge and the replay have.
// A submission's own process has other buffers, so nothing that it does reaches these.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "judge/memory/device.h"
#include "judge/process/file_descriptor.h"

namespace judge {

class ReplayMemory : public Device {
 public:
  // `device` is whom to ask for all but memory.
  static common::Result<std::unique_ptr<ReplayMemory>> create(const Device& device);
  ReplayMemory(const ReplayMemory&) = delete;
  ~ReplayMemory() override;

  // To be handed to the replay.
  int file() const { return file_.get(); }

  DeviceFacts facts() const override { return device_.facts(); }
  common::Result<DeviceMemory> allocate(std::size_t bytes) override;
  common::Result<MemoryHandle> handle(const DeviceMemory& memory) override;
  common::Status write(const DeviceMemory& to, std::size_t offset,
                       std::span<const std::byte> from) override;
  common::Status read(std::span<std::byte> to, const DeviceMemory& from,
                      std::size_t offset) override;
  std::string error_meaning(std::int32_t cuda_error) const override {
    return device_.error_meaning(cuda_error);
  }

 private:
  ReplayMemory(const Device& device, FileDescriptor file, std::byte* bytes)
      : device_(device), file_(std::move(file)), bytes_(bytes) {}
  void free(void* address) override;

  const Device& device_;
  FileDescriptor file_;
  std::byte* bytes_;                           // the whole file
  std::map<std::size_t, std::size_t> pieces_;  // sizes by offset
};

}  // namespace judge
