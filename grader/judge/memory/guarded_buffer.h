// A buffer on the device with a red zone on each side, all in one allocation of its own. CUDA puts
// small allocations side by side in one block, and a process that maps one of them maps the block;
// the red zones show a write that went over the edge wherever it would have landed.
//
// A runner sees them. So they come from numbers of their own: enough outputs of a generator give
// its seed away, and a seed derived from the case's would give away the inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "judge/arrays/tensor.h"
#include "judge/memory/device.h"

namespace judge {

class GuardedBuffer {
 public:
  // Larger than any tile of the labs that an off-by-one-tile mistake could put beside the buffer.
  static constexpr std::size_t red_zone_bytes = 32 * 1024;

  // The data starts `misalignment` bytes after an address that cudaMalloc could have returned.
  // `holds_input`: the contents are something that a launcher may need, and no poison. `name` is
  // the launcher's name for the buffer.
  static common::Result<GuardedBuffer> create(Device& device, const Tensor& contents,
                                              std::size_t misalignment, bool holds_input,
                                              std::string name);

  const MemoryHandle& handle() const { return handle_; }
  std::size_t data_offset() const { return data_offset_; }
  bool holds_input() const { return holds_input_; }
  const std::string& name() const { return name_; }
  std::size_t data_bytes() const { return data_bytes_; }

  struct Contents {
    Tensor data;
    std::string damage;  // what was written outside the data, or empty
  };
  // Puts other data of as many bytes there.
  common::Status write(Device& device, const Tensor& contents);
  // Reads everything back.
  common::Result<Contents> read_back(Device& device) const;

 private:
  struct RedZones {
    std::vector<std::byte> before;
    std::vector<std::byte> after;
  };
  GuardedBuffer(DeviceMemory memory, MemoryHandle handle, std::size_t data_offset,
                std::size_t data_bytes, RedZones red_zones, Tensor layout, bool holds_input,
                std::string name)
      : memory_(std::move(memory)),
        handle_(handle),
        data_offset_(data_offset),
        data_bytes_(data_bytes),
        red_zones_(std::move(red_zones)),
        layout_(std::move(layout)),
        holds_input_(holds_input),
        name_(std::move(name)) {}

  DeviceMemory memory_;
  MemoryHandle handle_;
  std::size_t data_offset_;
  std::size_t data_bytes_;
  RedZones red_zones_;  // as they were before the call
  Tensor layout_;       // type and shape of the data
  bool holds_input_;
  std::string name_;
};

}  // namespace judge
