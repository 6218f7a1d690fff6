#include "emulator/diagnostics/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tmaemu {

std::string name_in_this_process(std::string name) {
  const std::size_t process = name.find("%p");
  if (process != std::string::npos) name.replace(process, 2, std::to_string(getpid()));
  return name;
}

common::Result<std::FILE*> open_output(const std::string& name, std::string_view what) {
  if (name == "-") return stdout;
  std::FILE* const out = std::fopen(name.c_str(), "we");
  if (out != nullptr) return out;
  return common::Error{"cannot write " + std::string(what) + " to '" + name +
                       "': " + std::strerror(errno)};
}

}  // namespace tmaemu
