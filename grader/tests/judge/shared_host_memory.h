// Host memory in the place of device memory: an anonymous file whose handle is its path in /proc,
// so that another process can map it as a runner maps device memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "contract/protocol/protocol.h"
#include "judge/memory/device.h"

class HostDevice : public judge::Device {
 public:
  explicit HostDevice(bool emulated = false) : emulated_(emulated) {}

  judge::DeviceFacts facts() const override { return {"host memory", 90, emulated_}; }

  // The next allocations find no room.
  void refuse(int allocations) { refused_ = allocations; }

  common::Result<judge::DeviceMemory> allocate(std::size_t bytes) override {
    if (refused_-- > 0) return common::Error{"out of memory"};
    const int file = memfd_create("device-memory", MFD_CLOEXEC);
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0) return common::Error{"ftruncate"};
    void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    allocations_[address] = {file, bytes};
    return judge::DeviceMemory(*this, address);
  }

  common::Result<judge::MemoryHandle> handle(const judge::DeviceMemory& memory) override {
    judge::MemoryHandle handle{};
    std::snprintf(reinterpret_cast<char*>(handle.data()), handle.size(), "/proc/%d/fd/%d", getpid(),
                  allocations_.at(memory.address()).file);
    return handle;
  }

  common::Status write(const judge::DeviceMemory& to, std::size_t offset,
                       std::span<const std::byte> from) override {
    std::ranges::copy(from, static_cast<std::byte*>(to.address()) + offset);
    return {};
  }

  common::Status read(std::span<std::byte> to, const judge::DeviceMemory& from,
                      std::size_t offset) override {
    std::copy_n(static_cast<const std::byte*>(from.address()) + offset, to.size(), to.begin());
    return {};
  }

  std::string error_meaning(std::int32_t cuda_error) const override {
    return "error " + std::to_string(cuda_error);
  }

 private:
  struct Allocation {
    int file;
    std::size_t bytes;
  };

  void free(void* address) override {
    munmap(address, allocations_.at(address).bytes);
    close(allocations_.at(address).file);
    allocations_.erase(address);
  }

  bool emulated_;
  int refused_ = 0;
  std::map<void*, Allocation> allocations_;
};

// The other process's side: the memory that a handle names, mapped for good.
inline std::byte* map_handle(const judge::MemoryHandle& handle) {
  const int file = open(reinterpret_cast<const char*>(handle.data()), O_RDWR | O_CLOEXEC);
  struct stat status {};
  fstat(file, &status);
  void* address = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                       MAP_SHARED, file, 0);
  close(file);
  return static_cast<std::byte*>(address);
}

// The same for a buffer of a replay's.
inline std::byte* map_replays_handle(const judge::MemoryHandle& handle) {
  protocol::ReplayHandle piece;
  std::memcpy(&piece, handle.data(), sizeof piece);
  void* address = mmap(nullptr, piece.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                       protocol::replay_memory_descriptor, static_cast<off_t>(piece.offset));
  return static_cast<std::byte*>(address);
}
