#include "judge/replay/replay_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "common/round_up.h"
#include "common/text.h"
#include "contract/protocol/protocol.h"
#include "judge/process/system_error.h"

namespace judge {

using common::concat;

namespace {

// More than all buffers of a case together. The file is as large as what was written into it.
constexpr std::size_t file_bytes = std::size_t{1} << 38;
constexpr std::size_t page_bytes = 4096;

MemoryHandle as_handle(const protocol::ReplayHandle& piece) {
  MemoryHandle handle{};
  static_assert(sizeof piece <= sizeof handle);
  std::memcpy(handle.data(), &piece, sizeof piece);
  return handle;
}

}  // namespace

common::Result<std::unique_ptr<ReplayMemory>> ReplayMemory::create(const Device& device) {
  FileDescriptor file(memfd_create("judge-replay-memory", MFD_CLOEXEC));
  void* bytes = MAP_FAILED;
  if (file.is_open() && ftruncate(file.get(), file_bytes) == 0) {
    bytes = mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                 file.get(), 0);
  }
  if (bytes == MAP_FAILED) {
    return system_error("make memory for the replay");
  }
  return std::unique_ptr<ReplayMemory>(
      new ReplayMemory(device, std::move(file), static_cast<std::byte*>(bytes)));
}

ReplayMemory::~ReplayMemory() {
  munmap(bytes_, file_bytes);
}

common::Result<DeviceMemory> ReplayMemory::allocate(std::size_t bytes) {
  const std::size_t offset =
      pieces_.empty()
          ? 0
          : common::round_up(pieces_.rbegin()->first + pieces_.rbegin()->second, page_bytes);
  if (bytes > file_bytes - offset) {
    return common::Error{concat("the replay has no memory for a buffer of ", bytes, " bytes")};
  }
  pieces_.emplace(offset, bytes);
  return DeviceMemory(*this, bytes_ + offset);
}

common::Result<MemoryHandle> ReplayMemory::handle(const DeviceMemory& memory) {
  const std::size_t offset = offset_of(memory);
  return as_handle({offset, pieces_.at(offset)});
}

MemoryHandle ReplayMemory::handle_of_repeated(const DeviceMemory& memory, std::size_t bytes) const {
  const std::size_t offset = offset_of(memory);
  return as_handle({offset, bytes, pieces_.at(offset)});
}

common::Status ReplayMemory::write(const DeviceMemory& to, std::size_t offset,
                                   std::span<const std::byte> from) {
  std::ranges::copy(from, static_cast<std::byte*>(to.address()) + offset);
  return {};
}

common::Status ReplayMemory::read(std::span<std::byte> to, const DeviceMemory& from,
                                  std::size_t offset) {
  std::copy_n(static_cast<const std::byte*>(from.address()) + offset, to.size(), to.begin());
  return {};
}

void ReplayMemory::free(void* address) {
  const auto piece =
      pieces_.find(static_cast<std::size_t>(static_cast<std::byte*>(address) - bytes_));
  // The next piece there begins with zeros, as it would in a new file.
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(piece->first), static_cast<off_t>(piece->second));
  pieces_.erase(piece);
}

}  // namespace judge
