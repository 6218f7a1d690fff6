// What buffers held at one moment, at places that nobody can foresee. A request whose work goes on
// after its reply is caught: what the snapshot saw is then not what the buffers hold in the end.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/result.h"
#include "judge/memory/device.h"

namespace judge {

class Snapshot {
 public:
  // So many that work of which a thousandth is not done when the snapshot is taken shows in dozens
  // of them; so few that a GPU reads them in some 20 microseconds.
  static constexpr std::uint32_t sample_count = 1 << 16;

  struct Buffer {
    void* address;
    std::size_t bytes;  // at least 4
  };

  static common::Result<Snapshot> create(Device& device, const std::vector<Buffer>& buffers);

  // Samples the buffers at new places, and waits for that.
  common::Status take(std::uint64_t seed);
  // How many of the samples that the last take() saw are different now.
  common::Result<std::uint32_t> changed();

 private:
  Snapshot(DeviceMemory buffers, std::uint32_t count, DeviceMemory samples, DeviceMemory changes)
      : buffers_(std::move(buffers)),
        count_(count),
        samples_(std::move(samples)),
        changes_(std::move(changes)) {}

  DeviceMemory buffers_;  // `count_` Buffers
  std::uint32_t count_;
  DeviceMemory samples_;  // words
  DeviceMemory changes_;  // one number
  std::uint64_t seed_ = 0;
};

}  // namespace judge
