#include "emulator/runtime/state/origin.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace tmaemu::runtime {

std::string file_of(const void* address) {
  Dl_info found{};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return {};
  return std::filesystem::path(found.dli_fname).filename().string();
}

bool is_nvidia_library(const std::string& file) {
  constexpr std::string_view beginnings[] = {"libcublas", "libcudnn",    "libcufft",
                                             "libcurand", "libcusolver", "libcusparse",
                                             "libnccl",   "libnpp",      "libnvjpeg"};
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return file.starts_with(beginning); });
}

}  // namespace tmaemu::runtime
