// SourceFiles where there are no files: the launch brings the one source that findings quote.
#include "emulator/diagnostics/source_files.h"

#include "emulator/browser/quoted_source.h"

namespace tmaemu {

SourceFiles::SourceFiles(const std::filesystem::path&) {}

std::optional<std::string> SourceFiles::line(const std::string& path, std::uint32_t number) const {
  const record::Source& source = browser::quoted_source();
  if (path != source.name || number == 0 || number > source.lines.size()) return std::nullopt;
  return source.lines[number - 1];
}

}  // namespace tmaemu
