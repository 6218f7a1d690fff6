#include "emulator/launcher/program.h"

#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "emulator/loader/elf_file.h"

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
  const tmaemu::loader::MappedFile file(program.c_str());
  std::error_code error;
  const std::uintmax_t size = fs::file_size(program, error);
  if ((file.bytes().empty() && size != 0) || error) return {};  // one may run what one may not read
  const auto described = tmaemu::loader::described_elf_bytes(file.bytes());
  if (described && size < *described) {
    return common::Error{"'" + program.string() + "' is cut short: its headers describe " +
                         std::to_string(*described) + " bytes, and the file has " +
                         std::to_string(size) + "; build it again, or copy it again"};
  }
  const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                              file.bytes().size());
  if (text.starts_with("#!") || text.starts_with(ELFMAG)) return {};
  return common::Error{"'" + program.string() + "' is " + (size == 0 ? "empty" : "no program") +
                       " (what can run here is an ELF file, which nvcc writes, or a script that " +
                       "begins with #!)"};
}

}  // namespace launcher
