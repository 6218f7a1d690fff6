// How a launch ended.
#pragma once

#include <cstdint>

namespace tmaemu {

// Anything but `completed` is CUDA's sticky error of the same name; the explanation has already
// been reported.
enum class LaunchOutcome : std::uint8_t {
  completed,
  illegal_address,
  misaligned_address,
  illegal_instruction,
  invalid_address_space,
  invalid_program_counter,
  assertion,    // __assertfail
  trap,         // trap; also what CUDA calls "unspecified launch failure"
  deadlock,     // nothing could run; CUDA would hang: reported as a launch timeout
  out_of_time,  // what Device::limit_time() has allowed; says no more than that it still ran
  not_modeled,  // the program needs something the emulator refuses to guess at
};

}  // namespace tmaemu
