#include "emulator/ptx/parser.h"
#include "tests/fuzz/require.h"

namespace tmaemu::fuzz {
namespace {

// Every index that a diagnostic follows leads somewhere.
void require_source_places(const ptx::Module& module) {
  const auto files = static_cast<std::int64_t>(module.files.size());
  const auto sites = static_cast<std::int64_t>(module.inline_sites.size());
  const auto check = [&](const ptx::SourceLocation& place) {
    require(place.file < files && place.inlined_at < sites, "a source place leads nowhere");
  };
  for (const ptx::InlineSite& site : module.inline_sites) check(site.call);
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      check(instruction.source);
      require(!instruction.parts.empty(), "an instruction has no opcode");
    }
    for (const ptx::Label& label : function.labels) {
      require(label.position <= function.body.size(), "a label lies outside its function");
    }
  }
}

}  // namespace

void parse_ptx(Input input) {
  const auto module = ptx::parse(text_of(input));
  require_answer(module);
  if (!module) return;
  require_source_places(**module);
  (*module)->line_text(1);
}

}  // namespace tmaemu::fuzz
