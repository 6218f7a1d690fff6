// Error codes, and where they are kept: each host thread's last error.
// CUDA Runtime API, "Error Handling". Codes are the same numbers in the runtime and the driver.
#pragma once

#include <string>

namespace tmaemu::runtime {

// The codes that this implementation gives out. Values equal cudaError_t's and CUresult's.
enum class Error : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_memcpy_direction = 21,
  missing_configuration = 52,
  invalid_device_function = 98,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_kernel_image = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  file_not_found = 301,
  operating_system = 304,
  invalid_handle = 400,
  illegal_state = 401,
  symbol_not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_not_enabled = 705,
  primary_context_active = 708,
  assertion = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_program_counter = 718,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  graph_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

struct ErrorText {
  int code;
  const char* runtime_name;  // "cudaErrorInvalidValue"
  const char* driver_name;   // "CUDA_ERROR_INVALID_VALUE"
  const char* description;   // "invalid argument"
};

// Null where no API knows the code.
const ErrorText* find_error_text(int code);

// Whether one of the pointers that a call cannot do without is null: where its results go, or where
// its parameters are. Every entry point that reads or writes behind a pointer asks first.
template <class... Pointee>
constexpr bool any_null(const Pointee*... pointers) {
  return ((pointers == nullptr) || ...);
}

// The calling thread's last error, as cudaPeekAtLastError sees it.
Error& last_error();

// One line on stderr for the person who has to mend the program: CUDA's code says only what kind
// of mistake it was. Repeats of the line before it are left out.
void explain(const std::string& message);
// What the calling thread has explained last.
std::string& last_explanation();

// A kernel's name as its source has it, for explanations.
std::string readable(const std::string& mangled);

// A call that the emulator does not model: says so, with its name.
Error not_modeled(const std::string& call);

}  // namespace tmaemu::runtime

// What the generated entry points of calls that are not modeled jump to (exports/make_stubs.py):
// CUDA_ERROR_NOT_SUPPORTED, and cudaErrorNotSupported, which is the same number. The driver has no
// last error, and a driver's call that fails leaves the runtime's as it is.
extern "C" int tmaemu_driver_not_modeled(const char* call);
extern "C" int tmaemu_runtime_not_modeled(const char* call);
