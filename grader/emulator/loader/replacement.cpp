#include "emulator/loader/replacement.h"

#include <algorithm>

namespace tmaemu::loader {
namespace {

// Those of the major versions 12 and 13.
constexpr std::string_view with_versions[] = {"libcudart", "libcublas", "libcublasLt"};

// What follows `library` in a file's name, without what a wheel's tools put in between ("-1a2b3c").
std::optional<std::string_view> after(std::string_view library, std::string_view file) {
  if (!file.starts_with(library)) return std::nullopt;
  const std::size_t end = file.find(".so", library.size());
  if (end == file.npos) return std::nullopt;
  if (end != library.size() && file[library.size()] != '-') return std::nullopt;
  return file.substr(end);
}

bool is_version(std::string_view ending, std::string_view major) {
  return ending == major || (ending.starts_with(major) && ending[major.size()] == '.');
}

}  // namespace

std::optional<std::string> replacement(std::string_view asked) {
  const std::string_view file = asked.substr(asked.rfind('/') + 1);
  if (const auto ending = after("libcuda", file)) return "libcuda.so.1";
  for (const std::string_view library : with_versions) {
    const auto ending = after(library, file);
    if (!ending) continue;
    for (const std::string_view major : {".so.12", ".so.13"}) {
      if (is_version(*ending, major)) return std::string(library) + std::string(major);
    }
  }
  return std::nullopt;
}

bool names_no_version(std::string_view asked) {
  const std::string_view file = asked.substr(asked.rfind('/') + 1);
  return file.size() < asked.size() && std::ranges::any_of(with_versions, [&](auto library) {
           return file == std::string(library) + ".so";
         });
}

}  // namespace tmaemu::loader
