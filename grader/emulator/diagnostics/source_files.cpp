#include "emulator/diagnostics/source_files.h"

#include <array>
#include <fstream>
#include <limits>
#include <system_error>

namespace tmaemu {
namespace {

// More of a line than anybody shows.
constexpr std::size_t longest_line = 1024;

// The program names the file: it may be no text, or have no end.
std::optional<std::string> read_line(const std::filesystem::path& path, std::uint32_t number) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path);
  for (std::uint32_t i = 1; i < number && file; ++i) {
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  std::array<char, longest_line> line;
  if (number == 0 || file.peek() == std::ifstream::traits_type::eof()) return std::nullopt;
  file.getline(line.data(), line.size());
  const auto taken = static_cast<std::size_t>(file.gcount());
  if (taken == 0) return std::string();
  std::string text(line.data(), taken);
  while (!text.empty() && (text.back() == '\0' || text.back() == '\r')) text.pop_back();
  return text;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  auto part = path.begin();
  for (const auto& expected : folder) {
    if (part == path.end() || *part != expected) return false;
    ++part;
  }
  return part != path.end();
}

}  // namespace

SourceFiles::SourceFiles(const std::filesystem::path& folder) {
  std::error_code error;
  folder_ = std::filesystem::canonical(folder, error);
  if (error) folder_ = std::filesystem::path();
}

std::optional<std::string> SourceFiles::line(const std::string& path, std::uint32_t number) const {
  const auto file = allowed(path);
  return file ? read_line(*file, number) : std::nullopt;
}

std::optional<std::filesystem::path> SourceFiles::allowed(const std::filesystem::path& path) const {
  if (!folder_) return path;
  if (folder_->empty()) return std::nullopt;
  // "/submission/parts/lab3.cu" is looked for as submission/parts/lab3.cu, parts/lab3.cu, lab3.cu.
  const std::filesystem::path relative = path.relative_path();
  for (auto first = relative.begin(); first != relative.end(); ++first) {
    std::filesystem::path candidate = *folder_;
    for (auto part = first; part != relative.end(); ++part) candidate /= *part;
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(candidate, error);
    if (!error && is_below(real, *folder_)) return real;
  }
  return std::nullopt;
}

}  // namespace tmaemu
