#include "emulator/launcher/registry.h"

#include <span>
#include <string_view>

#include "common/json_text.h"
#include "contract/findings/finding_codes.h"

namespace launcher {
namespace {

using common::json::object;
using common::json::quoted;

std::string code(const tmaemu::CodeEntry& entry) {
  return object({{"code", quoted(entry.name)},
                 {"kind", quoted(tmaemu::name_of(entry.kind))},
                 {"cuda_error", entry.cuda_error.empty() ? "null" : quoted(entry.cuda_error)},
                 {"page", common::json::quoted(tmaemu::page_of(entry.code))},
                 {"cost", quoted(tmaemu::name_of(entry.cost))}});
}

std::string sentence(const tmaemu::SentenceEntry& entry) {
  return object({{"code", quoted(tmaemu::entry_of(entry.code).name)},
                 {"sentence", quoted(entry.text)},
                 {"help", quoted(entry.help)}});
}

std::string note(const tmaemu::NoteEntry& entry) {
  return quoted(entry.text);
}

// A line each, so that a change of the registry is a line of a diff.
template <class Row>
std::string rows(std::span<const Row> table, std::string (*json)(const Row&)) {
  std::string text;
  for (const Row& row : table) text += (text.empty() ? "\n  " : ",\n  ") + json(row);
  return "[" + text + "\n ]";
}

}  // namespace

std::string registry_json() {
  return "{\n \"codes\": " + rows(tmaemu::finding_codes(), code) +
         ",\n \"sentences\": " + rows(tmaemu::finding_sentences(), sentence) +
         ",\n \"notes\": " + rows(tmaemu::note_sentences(), note) + "\n}";
}

}  // namespace launcher
