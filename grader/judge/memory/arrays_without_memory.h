// Arrays of whatever size for a launcher's own process, which only records what it asks for. Nobody
// reads or writes them there; only their addresses and sizes matter. On the emulator alone.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "common/result.h"
#include "judge/memory/device.h"

namespace judge {

class ArraysWithoutMemory {
 public:
  // `bytes`: of each. It takes whole blocks of the device, as of_array() says.
  static common::Result<ArraysWithoutMemory> create(std::span<const std::size_t> bytes);
  ArraysWithoutMemory(ArraysWithoutMemory&& other) noexcept = default;
  ArraysWithoutMemory& operator=(ArraysWithoutMemory&&) = delete;
  ~ArraysWithoutMemory();

  static std::size_t of_array(std::size_t bytes);

  // For the runner to map, in the order in which they were asked for.
  const std::vector<MemoryHandle>& handles() const { return handles_; }

 private:
  ArraysWithoutMemory() = default;

  std::vector<MemoryHandle> handles_;
};

}  // namespace judge
