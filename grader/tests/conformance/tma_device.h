// One CUDA context that runs cases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/tma_cases.h"

namespace conformance {

// The answer to a case: a digest of its memory, or one of these.
inline constexpr std::uint64_t not_run = 0;
inline constexpr std::uint64_t refused = 1;  // by cuTensorMapEncodeTiled
inline constexpr std::uint64_t hung = 2;
inline constexpr std::uint64_t crashed = 3;  // the process ended
// The launch ended with this cudaError_t. All errors have higher numbers than the above.
inline constexpr std::uint64_t last_error = 9999;

constexpr bool is_error(std::uint64_t answer) {
  return answer > refused && answer <= last_error;
}

class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // The context is lost where is_error(answer).
  std::uint64_t run(const Case& drawn);

  // Runs a case and keeps its memory: the shared memory of each CTA, `shared_bytes` each, then the
  // slot.
  std::uint64_t run(const Case& drawn, std::vector<unsigned char>& image);

 private:
  std::uint64_t launch(const Case& drawn, unsigned char* image);

  unsigned char* slot_ = nullptr;
  std::uint64_t* digest_ = nullptr;
};

// Creates a CUDA context.
std::string device_name();
// A bit each: whether cuTensorMapEncodeTiled accepts the map.
std::vector<std::uint8_t> encode_all(const std::vector<MapArguments>& maps);

}  // namespace conformance
