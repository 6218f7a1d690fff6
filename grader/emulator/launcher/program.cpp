#include "emulator/launcher/program.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "emulator/launcher/elf_file.h"

namespace launcher {
namespace fs = std::filesystem;
namespace {

common::Status check_executable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return common::Error{"there is no program '" + path.string() + "'"};
  if (fs::is_directory(status)) return common::Error{"'" + path.string() + "' is a folder"};
  if (access(path.c_str(), X_OK) != 0) {
    return common::Error{"'" + path.string() + "' is not executable (chmod +x, or is it a source " +
                         "file that nvcc has yet to compile?)"};
  }
  return {};
}

bool begins_with(std::istream& file, std::string_view bytes) {
  std::string first(bytes.size(), '\0');
  return file.seekg(0).read(first.data(), static_cast<std::streamsize>(first.size())) &&
         first == bytes;
}

}  // namespace

common::Result<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (const common::Status status = check_executable(name); !status) return status.error();
    return fs::path(name);
  }
  const char* search = std::getenv("PATH");
  std::istringstream folders(search == nullptr ? "" : search);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (check_executable(candidate).ok()) return candidate;
  }
  std::error_code error;
  const std::string hint = fs::exists(name, error) ? "; did you mean './" + name + "'?" : "";
  return common::Error{"there is no program '" + name + "' in PATH" + hint};
}

common::Status check_completeness(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(program, error);
  if (!file || error) return {};  // one may run what one may not read
  if (const auto described = described_elf_bytes(file); described && size < *described) {
    return common::Error{"'" + program.string() + "' is cut short: its headers describe " +
                         std::to_string(*described) + " bytes, and the file has " +
                         std::to_string(size) + "; build it again, or copy it again"};
  }
  file.clear();
  if (begins_with(file, "#!") || begins_with(file,
                                             "\x7f"
                                             "ELF"))
    return {};
  return common::Error{"'" + program.string() + "' is " + (size == 0 ? "empty" : "no program") +
                       " (what can run here is an ELF file, which nvcc writes, or a script that " +
                       "begins with #!)"};
}

common::Status check_cuda_linkage(const fs::path& program) {
  const std::optional<ElfFile> elf = read_elf(program);
  if (!elf) return {};  // a script, say; what it starts is checked by nobody, but runs the same
  const auto needs = [&](const std::string& prefix) {
    for (const std::string& library : elf->needed) {
      if (library.starts_with(prefix)) return true;
    }
    return false;
  };
  if (elf->has_device_code && !needs("libcudart.so")) {
    return common::Error{"'" + program.string() +
                         "' has CUDA's runtime linked into it, where the emulator cannot replace "
                         "it; rebuild it with: nvcc -cudart shared"};
  }
  return {};
}

}  // namespace launcher
