#include "emulator/ptx/source_lines.h"

#include <limits>
#include <optional>
#include <utility>

#include "emulator/ptx/constant.h"

namespace tmaemu::ptx {
namespace {

constexpr std::uint64_t max_number = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t max_bits = std::numeric_limits<std::uint64_t>::max();

// The compiler writes \" and \\ in file names as C does.
std::string unescaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '"');
    if (is_escape) ++i;
    result += text[i];
  }
  return result;
}

}  // namespace

std::int32_t SourceLines::file_index(std::uint64_t number, int line) {
  const auto next = static_cast<std::int32_t>(module_.files.size());
  const auto [entry, is_new] = file_of_number_.try_emplace(number, next);
  if (is_new) {
    module_.files.emplace_back();
    number_of_file_.push_back(number);
    first_mention_.push_back(line);
  }
  return entry->second;
}

// .file number "name" {, timestamp, size}
void SourceLines::parse_file(TokenStream& tokens) {
  const int line = tokens.current().line;
  const std::uint64_t number = parse_unsigned(tokens, "the number of the file", max_number);
  const std::int32_t index = file_index(number, line);
  module_.files[index] = unescaped(tokens.take_string("the name of the file").text);
  first_mention_[index] = 0;
  if (!tokens.accept(',')) return;
  parse_unsigned(tokens, "the file's time", max_bits);
  tokens.expect(',');
  parse_unsigned(tokens, "the file's size", max_bits);
}

SourceLocation SourceLines::parse_place(TokenStream& tokens) {
  SourceLocation place;
  const int line = tokens.current().line;
  place.file = file_index(parse_unsigned(tokens, "the number of the file", max_number), line);
  place.line = static_cast<std::uint32_t>(parse_unsigned(tokens, "the line", max_number));
  place.column = static_cast<std::uint32_t>(parse_unsigned(tokens, "the column", max_number));
  return place;
}

SourceLines::FunctionName SourceLines::parse_function_name(TokenStream& tokens) {
  FunctionName name;
  name.label = tokens.take_identifier("a label of .debug_str").text;
  if (tokens.accept('+')) name.offset = parse_unsigned(tokens, "the offset", max_number);
  return name;
}

// .loc file line column {, function_name label {+ offset}, inlined_at file line column}
void SourceLines::parse_loc(TokenStream& tokens, std::size_t next_instruction) {
  LineDirective directive{parse_place(tokens), std::nullopt, 0, next_instruction};
  if (tokens.accept(',')) {
    const auto expect_word = [&](std::string_view word) {
      if (tokens.current().text != word) tokens.fail_expecting(word);
      tokens.take();
    };
    expect_word("function_name");
    const FunctionName function = parse_function_name(tokens);
    const auto [number, is_new] = number_of_name_.try_emplace(function, names_.size());
    if (is_new) names_.push_back(function);
    directive.function = number->second;
    tokens.expect(',');
    expect_word("inlined_at");
    directive.call = parse_place(tokens);
  }
  directives_.push_back(directive);
}

std::int32_t SourceLines::site_of(const SourceLocation& call, std::size_t function,
                                  const std::vector<std::int32_t>& alternatives) {
  const auto next = static_cast<std::int32_t>(module_.inline_sites.size());
  const auto [site, is_new] = site_of_.try_emplace(
      {call.file, call.line, call.column, call.inlined_at, function, alternatives}, next);
  if (is_new) {
    module_.inline_sites.push_back({call, {}, alternatives});
    site_names_.push_back(function);
  }
  return site->second;
}

void SourceLines::finish_function(Function& function) {
  std::vector<Instruction>& body = function.body;
  const std::vector<LineDirective> directives = std::exchange(directives_, {});
  const InlineChains chains(directives, module_.inline_sites,
                            [&](const SourceLocation& call, const LineDirective& directive) {
                              return site_of(call, directive.function, {});
                            });
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const std::size_t end = i + 1 < directives.size() ? directives[i + 1].first : body.size();
    if (directives[i].first == end) continue;
    const std::vector<SourceLocation>& found = chains.locations()[i];
    SourceLocation location = found.front();
    if (found.size() > 1) {
      std::vector<std::int32_t> others;
      for (std::size_t k = 1; k < found.size(); ++k) others.push_back(found[k].inlined_at);
      const SourceLocation call =
          module_.inline_sites[static_cast<std::size_t>(location.inlined_at)].call;
      location.inlined_at = site_of(call, directives[i].function, others);
    }
    for (std::size_t k = directives[i].first; k < end; ++k) body[k].source = location;
  }
  give_lines_nearby(function);
}

// Where the compiler makes one instruction of several lines' (the stores in both branches of an
// `if`, say), its .loc has line 0. The nearest line in front of it in the same block says where
// that is, or else the nearest behind it, or the call that has inlined it.
void SourceLines::give_lines_nearby(Function& function) const {
  std::vector<Instruction>& body = function.body;
  std::vector<bool> begins_block(body.size() + 1);
  for (const Label& label : function.labels) begins_block[label.position] = true;
  std::vector<const SourceLocation*> behind(body.size());
  const SourceLocation* nearest = nullptr;
  for (std::size_t i = body.size(); i-- > 0;) {
    behind[i] = nearest;
    if (body[i].source.line != 0) nearest = &body[i].source;
    if (begins_block[i]) nearest = nullptr;
  }
  std::optional<SourceLocation> in_front;
  for (std::size_t i = 0; i < body.size(); ++i) {
    SourceLocation& place = body[i].source;
    if (begins_block[i]) in_front.reset();
    if (place.line != 0) {
      in_front = place;
    } else if (place.file >= 0) {
      const SourceLocation merged = place;
      if (in_front) place = line_nearby(merged, *in_front);
      if (place.line == 0 && behind[i] != nullptr) place = line_nearby(merged, *behind[i]);
      if (place.line == 0) place = call_of(merged);
    }
  }
}

// The call that has inlined an instruction without a line.
SourceLocation SourceLines::call_of(const SourceLocation& place) const {
  if (place.inlined_at < 0) return place;
  SourceLocation call = module_.inline_sites[static_cast<std::size_t>(place.inlined_at)].call;
  call.is_near = true;
  return call;
}

// What the line of a neighbor says of an instruction that has none: the line itself, or that of the
// call that leads to it. Nothing where the neighbor is of another function.
SourceLocation SourceLines::line_nearby(const SourceLocation& place,
                                        const SourceLocation& neighbor) const {
  SourceLocation line = neighbor;
  while (line.inlined_at != place.inlined_at && line.inlined_at >= 0) {
    line = module_.inline_sites[static_cast<std::size_t>(line.inlined_at)].call;
  }
  if (line.inlined_at != place.inlined_at || line.file != place.file) return place;
  line.is_near = true;
  return line;
}

// .section name { lines }. Only the strings matter here; the rest is DWARF for debuggers.
void SourceLines::parse_section(TokenStream& tokens) {
  const Token name = tokens.take_directive("the name of a section");
  tokens.expect('{');
  while (!tokens.accept('}')) parse_section_line(tokens, name.text == ".debug_str");
}

// label:  or  .b8 value, value, ...  where a value is an integer, or in other sections than
// .debug_str also a label, a section, a sum, or a difference of labels.
void SourceLines::parse_section_line(TokenStream& tokens, bool is_strings) {
  if (tokens.current().kind == Token::Kind::identifier) {
    const Token label = tokens.take();
    tokens.expect(':');
    if (is_strings) string_labels_.emplace(label.text, strings_.size());
    return;
  }
  const Token type = tokens.take_directive("a label, .b8, .b16, .b32 or .b64");
  if (is_strings && type.text != ".b8") tokens.fail("only .b8 can stand in .debug_str");
  do {
    if (is_strings) {
      strings_ += static_cast<char>(parse_unsigned(tokens, "a byte", 255));
      continue;
    }
    do {
      const bool is_name = tokens.current().kind == Token::Kind::identifier ||
                           tokens.current().kind == Token::Kind::directive;
      if (is_name) {
        tokens.take();
      } else {
        parse_integer(tokens, "a number, a label or a section");
      }
    } while (tokens.accept('+') || tokens.accept('-'));
  } while (tokens.accept(','));
}

std::string SourceLines::name_in_strings(const FunctionName& name) const {
  const auto label = string_labels_.find(name.label);
  if (label == string_labels_.end()) return {};
  const std::size_t start = label->second + name.offset;
  if (start >= strings_.size()) return {};
  return strings_.substr(start, strings_.find('\0', start) - start);
}

void SourceLines::finish() {
  for (std::size_t i = 0; i < first_mention_.size(); ++i) {
    if (first_mention_[i] == 0) continue;
    throw SyntaxError{first_mention_[i], "no .file directive declares file number " +
                                             std::to_string(number_of_file_[i])};
  }
  for (std::size_t i = 0; i < site_names_.size(); ++i) {
    module_.inline_sites[i].function = name_in_strings(names_[site_names_[i]]);
  }
}

}  // namespace tmaemu::ptx
