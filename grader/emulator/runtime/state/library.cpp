#include "emulator/runtime/state/library.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "emulator/fatbin/fatbin.h"
#include "emulator/ptx/parser.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {

// Whether the text begins as PTX does, behind white space.
static bool is_ptx(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return ptx::declared_version(text) ||
         (start != text.npos && text.substr(start).starts_with(".version"));
}

// Whether the image is text, and no binary that says by its first bytes what it is.
static bool is_text(const void* image) {
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  return magic != wrapper_magic && magic != fat_binary_magic && magic != elf_magic;
}

// A module that is loaded, and not yet known to the program.
static Error load(const void* image, std::unique_ptr<Module>& loaded) {
  if (image == nullptr) return Error::invalid_value;
  loaded = module_from_image(image, /*copy=*/true);
  if (is_text(image) && !is_ptx(static_cast<const char*>(image))) {
    explain("this image is neither device code nor PTX, which begins with .version");
    return Error::invalid_image;
  }
  if (const Error error = loaded->load(); error != Error::success) return error;
  return loaded->check_kernels();
}

Error load_module(const void* image, Module*& module) {
  std::unique_ptr<Module> loaded;
  const Error error = load(image, loaded);
  if (error == Error::success) module = Registry::instance().add(std::move(loaded));
  return error;
}

Error check_module(const void* image) {
  std::unique_ptr<Module> loaded;
  return load(image, loaded);
}

Error load_module_file(const char* path, Module*& module) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error::file_not_found;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  // A wrapper holds pointers, which mean nothing in a file.
  if (magic == 0 || magic == wrapper_magic) {
    explain(std::string(path) + " holds no device code");
    return Error::invalid_image;
  }
  // The memory of a caller is as long as its header says; a file may have been cut.
  if (magic == fat_binary_magic) {
    const auto whole = fatbin::read_ptx(std::as_bytes(std::span(bytes)));
    if (!whole) {
      explain(whole.error().message);
      return Error::invalid_image;
    }
  }
  return load_module(bytes.c_str(), module);
}

Error find_kernel(Module& module, const char* name, Function*& function) {
  function = module.find_function(name);
  return function == nullptr ? Error::symbol_not_found : Error::success;
}

namespace {

// CUjit_option.
enum JitOption {
  wall_time = 2,
  info_log = 3,
  info_log_size = 4,
  error_log = 5,
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

// Ends the text in the buffer that `log` gives, where `size` says that it has room.
static void clear_log(std::span<const int> options, void** values, JitOption log, JitOption size) {
  const auto value_of = [&](JitOption wanted) -> void* {
    const auto found = std::find(options.begin(), options.end(), wanted);
    return found == options.end() ? nullptr : values[found - options.begin()];
  };
  auto* const buffer = static_cast<char*>(value_of(log));
  if (buffer != nullptr && value_of(size) != nullptr) *buffer = 0;
}

Error apply_jit_options(std::span<const int> options, void** values) {
  clear_log(options, values, info_log, info_log_size);
  clear_log(options, values, error_log, error_log_size);
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
