#include "emulator/runtime/state/load_options.h"

#include <cstring>
#include <string>

namespace tmaemu::runtime {
namespace {

// CUjit_option.
enum JitOption {
  wall_time = 2,
  info_log_size = 4,
  error_log_size = 6,
  global_symbol_names = 17,
  global_symbol_addresses = 18,
  global_symbol_count = 19,
  max_threads_per_block = 32,
  override_directive_values = 33,
  jit_option_count = 35,
};

// CUlibraryOption.
enum LibraryOption { host_function_and_data_table = 0, binary_is_preserved = 1 };

}  // namespace

Error apply_jit_options(std::span<const int> options, void** values) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    switch (options[i]) {
      case wall_time: {
        const float milliseconds = 0;
        std::memcpy(&values[i], &milliseconds, sizeof milliseconds);
        break;
      }
      // The size of the buffer goes in, the length of the log comes out.
      case info_log_size:
      case error_log_size:
        values[i] = nullptr;
        break;
      case global_symbol_names:
      case global_symbol_addresses:
      case global_symbol_count:
      case max_threads_per_block:
      case override_directive_values:
        return not_modeled("JIT option " + std::to_string(options[i]) + " (CUjit_option)");
      default:
        if (options[i] < 0 || options[i] >= jit_option_count) return Error::invalid_value;
    }
  }
  return Error::success;
}

Error check_library_options(std::span<const int> options) {
  for (const int option : options) {
    if (option == host_function_and_data_table) {
      return not_modeled("a library's universal function and data table");
    }
    if (option != binary_is_preserved) return Error::invalid_value;
  }
  return Error::success;
}

}  // namespace tmaemu::runtime
