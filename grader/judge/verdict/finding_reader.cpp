#include "judge/verdict/finding_reader.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "contract/findings/ptx_names.h"
#include "contract/rendering/json_line.h"

namespace judge {
namespace {

using Json = nlohmann::ordered_json;
using tmaemu::Diagnostic;

// Above what the emulator writes (diagnostics/diagnostic_builder.cpp), for texts in bytes.
constexpr std::size_t longest_line = std::size_t{64} << 10;
constexpr std::size_t longest_sentence = 2000;
constexpr std::size_t longest_name = 256;
constexpr std::size_t longest_excerpt = 512;
constexpr std::size_t most_notes = 16;
constexpr std::size_t most_waiters = 64;
constexpr std::int64_t largest_number = std::int64_t{1} << 53;  // what every reader of JSON keeps

// Thrown where a line is not what the emulator writes, caught where the line is read.
struct Unreadable {};

void demand(bool is_so) {
  if (!is_so) throw Unreadable();
}

bool has(const Json& object, const char* name) {
  demand(object.is_object());
  return object.contains(name);
}

const Json& member(const Json& object, const char* name) {
  demand(has(object, name));
  return object[name];
}

// Tabs may be in a line of source, and nothing else that a terminal obeys.
std::string read_text(const Json& json, std::size_t longest) {
  demand(json.is_string());
  const auto& text = json.get_ref<const std::string&>();
  demand(text.size() <= longest && std::ranges::none_of(text, [](unsigned char c) {
           return (c < ' ' && c != '\t') || c == 0x7F;
         }));
  return text;
}
std::string read_name(const Json& object, const char* of) {
  return read_text(member(object, of), longest_name);
}

std::int64_t read_integer(const Json& json, std::int64_t least, std::int64_t most) {
  demand(json.is_number_integer());
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  demand(!json.is_number_unsigned() || json.get<std::uint64_t>() <= largest);
  const auto value = json.get<std::int64_t>();
  demand(value >= least && value <= most);
  return value;
}

template <class Number = std::uint32_t>
Number read_number(const Json& json) {
  constexpr std::uint64_t most = std::numeric_limits<Number>::max();
  return static_cast<Number>(read_integer(
      json, 0, static_cast<std::int64_t>(std::min<std::uint64_t>(most, largest_number))));
}
template <class Number = std::uint32_t>
Number read_number(const Json& object, const char* of) {
  return read_number<Number>(member(object, of));
}

bool read_flag(const Json& object, const char* of) {
  const Json& json = member(object, of);
  demand(json.is_boolean());
  return json.get<bool>();
}

bool read_parity(const Json& object, const char* of) {
  return read_integer(member(object, of), 0, 1) == 1;
}

std::array<std::uint32_t, 3> read_coordinates(const Json& object, const char* of) {
  const Json& json = member(object, of);
  demand(json.is_array() && json.size() == 3);
  return {read_number(json[0]), read_number(json[1]), read_number(json[2])};
}

// The elements of a list that may be missing, each by `read`.
template <class Read>
auto read_list(const Json& object, const char* of, std::size_t most, Read read) {
  std::vector<decltype(read(object))> elements;
  if (!has(object, of)) return elements;
  const Json& json = member(object, of);
  demand(json.is_array() && json.size() <= most);
  std::ranges::transform(json, std::back_inserter(elements), read);
  return elements;
}

tmaemu::SourcePlace read_place(const Json& object) {
  const Json& json = member(object, "place");
  if (has(json, "function")) {
    return {read_name(json, "function"), read_number(json, "ptx_line"), 0, true};
  }
  return {read_name(json, "file"), read_number(json, "line"), read_number(json, "column")};
}

std::optional<tmaemu::Excerpt> read_excerpt(const Json& object) {
  if (!has(object, "excerpt")) return std::nullopt;
  const Json& json = member(object, "excerpt");
  return tmaemu::Excerpt{read_number(json, "line"), read_number(json, "column"),
                         read_text(member(json, "text"), longest_excerpt)};
}

tmaemu::BytesUse read_use(const Json& bytes) {
  using enum tmaemu::BytesUse;
  const std::string said = read_name(bytes, "use");
  for (const tmaemu::BytesUse use : {reads, writes, loads_into}) {
    if (said == tmaemu::text_of(use)) return use;
  }
  throw Unreadable();
}

tmaemu::WaitedFor read_waited_for(const Json& json, std::string& mbarrier) {
  const std::string kind = read_name(json, "kind");
  if (kind == "mbarrier") {
    mbarrier = read_name(json, "name");
    return tmaemu::MbarrierWait{
        .parity = read_parity(json, "parity"),
        .is_initialized = read_flag(json, "initialized"),
        .current_parity = read_parity(json, "current_parity"),
        .arrivals_missing = read_number<std::int64_t>(json, "arrivals_missing"),
        .arrivals_expected = read_number<std::int64_t>(json, "arrivals_expected"),
        .bytes_missing =
            read_integer(member(json, "bytes_missing"), -largest_number, largest_number),
        .is_polled = has(json, "polled") && read_flag(json, "polled")};
  }
  if (kind == "barrier") {
    return tmaemu::CtaBarrierWait{read_number(json, "number"), read_number(json, "arrived"),
                                  read_number(json, "expected")};
  }
  if (kind == "warp") return tmaemu::WarpWait{read_number(json, "members")};
  if (kind == "whole warp") return tmaemu::WholeWarpWait{};
  if (kind == "warpgroup") return tmaemu::WarpgroupWait{};
  if (kind == "registers") {
    return tmaemu::RegistersWait{read_number(json, "wanted"), read_number(json, "owned"),
                                 read_number(json, "in_pool")};
  }
  if (kind == "poll") return tmaemu::PollWait{};
  demand(kind == "cluster barrier");
  return tmaemu::ClusterBarrierWait{};
}

Diagnostic::Waiters read_waiters(const Json& json) {
  Diagnostic::Waiters waiters{read_place(json),
                              read_number<std::uint64_t>(json, "threads"),
                              {read_coordinates(json, "block"), read_coordinates(json, "thread")},
                              {},
                              {}};
  waiters.waited_for = read_waited_for(member(json, "waiting_for"), waiters.mbarrier);
  return waiters;
}

// Whether the text is the sentence with anything in the place of each {...}.
bool says(std::string_view text, std::string_view sentence) {
  std::size_t open = sentence.find('{');
  if (!text.starts_with(sentence.substr(0, open))) return false;
  if (open == std::string_view::npos) return text.size() == sentence.size();
  text.remove_prefix(open);
  for (;;) {
    sentence.remove_prefix(sentence.find('}') + 1);
    open = sentence.find('{');
    const std::string_view piece = sentence.substr(0, open);
    if (open == std::string_view::npos) return text.ends_with(piece);
    const std::size_t next = text.find(piece);
    if (next == std::string_view::npos) return false;
    text.remove_prefix(next + piece.size());
    sentence.remove_prefix(open);
  }
}

std::string read_note_message(const Json& json) {
  const std::string message = read_text(member(json, "message"), longest_sentence);
  demand(std::ranges::any_of(tmaemu::note_sentences(), [&](const tmaemu::NoteEntry& entry) {
    return says(message, entry.text);
  }));
  return message;
}

Diagnostic::Note read_note(const Json& json) {
  return {read_note_message(json), read_place(json), read_excerpt(json)};
}

// Whether the registry has a sentence of this code that says the message and gives the help.
bool is_of_registry(const Diagnostic& diagnostic) {
  return std::ranges::any_of(tmaemu::finding_sentences(), [&](const tmaemu::SentenceEntry& entry) {
    return entry.code == diagnostic.code && says(diagnostic.message, entry.text) &&
           (says(diagnostic.help, entry.help) || says(diagnostic.help, tmaemu::in_ptx(entry.help)));
  });
}

tmaemu::FindingCode read_code(const Json& json) {
  const auto code = tmaemu::find_finding_code(read_name(json, "code"));
  demand(code.has_value());
  return *code;
}

std::string read_text_if_any(const Json& json, const char* of) {
  return has(json, of) ? read_text(member(json, of), longest_sentence) : "";
}

Diagnostic read_diagnostic(const Json& json) {
  Diagnostic diagnostic{.code = read_code(json),
                        .message = read_text(member(json, "message"), longest_sentence),
                        .place = read_place(json),
                        .excerpt = read_excerpt(json),
                        .thread = tmaemu::ThreadIndices{read_coordinates(json, "block"),
                                                        read_coordinates(json, "thread")},
                        .notes = read_list(json, "notes", most_notes, read_note),
                        .waiters = read_list(json, "waiters", most_waiters, read_waiters),
                        .rule = read_text_if_any(json, "rule"),
                        .help = read_text_if_any(json, "help")};
  if (has(json, "bytes")) {
    const Json& bytes = member(json, "bytes");
    diagnostic.use = read_use(bytes);
    diagnostic.bytes = {read_name(bytes, "of"), read_number<std::uint64_t>(bytes, "first"),
                        read_number<std::uint64_t>(bytes, "count")};
  }
  if (has(json, "waiters_left_out")) {
    diagnostic.waiters_left_out = read_number<std::uint64_t>(json, "waiters_left_out");
  }
  demand(diagnostic.excerpt.has_value() && is_of_registry(diagnostic));
  return diagnostic;
}

// Nothing may be left of the line that is not in what was read.
void demand_the_same(const Json& json, const std::string& written) {
  demand(Json::parse(written) == json);
}

std::variant<Finding, FindingCount> read_line(const Json& json) {
  if (has(json, "finding")) {
    const FindingCount count{read_number<std::uint64_t>(json, "finding"),
                             read_number<std::uint64_t>(json, "count")};
    demand_the_same(json, tmaemu::json_count_line(count.finding, count.count));
    return count;
  }
  Finding finding{read_diagnostic(json)};
  demand_the_same(json, tmaemu::json_line(finding.diagnostic));
  return finding;
}

}  // namespace

std::optional<std::variant<Finding, FindingCount>> read_finding(std::string_view line) {
  if (line.size() > longest_line) return std::nullopt;
  const Json json = Json::parse(line, nullptr, false);  // discarded where it is no JSON
  try {
    return read_line(json);
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

}  // namespace judge
