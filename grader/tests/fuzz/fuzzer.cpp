// The fuzzer of one target: make compiles this file once for each, with its name in FUZZ_TARGET.
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tmaemu::fuzz::FUZZ_TARGET(std::as_bytes(std::span(data, size)));
  return 0;
}
