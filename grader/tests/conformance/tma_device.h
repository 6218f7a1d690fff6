// One CUDA context that runs cases.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/conformance/tma_cases.h"

namespace conformance {

class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // A digest of the case's memory, or one of the answers of run.h.
  std::uint64_t run(const Case& drawn);

  // Runs a case and keeps its memory: the shared memory of each CTA, `shared_bytes` each, then the
  // slot.
  std::uint64_t run(const Case& drawn, std::vector<unsigned char>& image);

 private:
  std::uint64_t launch(const Case& drawn, unsigned char* image);

  unsigned char* slot_ = nullptr;
  std::uint64_t* digest_ = nullptr;
};

// A bit each: whether cuTensorMapEncodeTiled accepts the map.
std::vector<std::uint8_t> encode_all(const std::vector<MapArguments>& maps);

}  // namespace conformance
