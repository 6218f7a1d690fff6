#include "judge/verdict/finding_reader.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace judge {
namespace {

using Json = nlohmann::ordered_json;

// Above what the emulator writes (diagnostics/teller.cpp), for texts in bytes.
constexpr std::size_t longest_line = std::size_t{64} << 10;
constexpr std::size_t longest_told_message = 2000;
constexpr std::size_t longest_told_name = 256;
constexpr std::size_t longest_excerpt = 512;
constexpr std::size_t most_notes = 16;
constexpr std::size_t most_waiters = 64;
constexpr std::int64_t largest_number = std::int64_t{1} << 53;  // what every reader of JSON keeps

using Check = bool (*)(const Json&);

// One member of an object.
struct Member {
  const char* name;
  Check is_valid;
  bool is_optional = false;
};
constexpr bool optional = true;

// An object of exactly these members.
bool is_object_of(const Json& json, std::initializer_list<Member> members) {
  if (!json.is_object()) return false;
  std::size_t known = 0;
  for (const Member& member : members) {
    const auto found = json.find(member.name);
    if (found == json.end()) {
      if (!member.is_optional) return false;
    } else if (!member.is_valid(*found)) {
      return false;
    } else {
      ++known;
    }
  }
  return known == json.size();
}

bool is_array_of(const Json& json, std::size_t most, Check is_valid) {
  return json.is_array() && !json.empty() && json.size() <= most &&
         std::all_of(json.begin(), json.end(), is_valid);
}

bool is_integer(const Json& json, std::int64_t least, std::int64_t most) {
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return false;
  }
  return json.is_number_integer() && json.get<std::int64_t>() >= least &&
         json.get<std::int64_t>() <= most;
}
bool is_number(const Json& json) {
  return is_integer(json, 0, largest_number);
}
bool is_signed_number(const Json& json) {
  return is_integer(json, -largest_number, largest_number);
}
bool is_parity(const Json& json) {
  return is_integer(json, 0, 1);
}
bool is_true_or_false(const Json& json) {
  return json.is_boolean();
}

// Tabs may be in a line of source, and nothing else that a terminal obeys.
bool is_text(const Json& json, std::size_t longest) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  return text.size() <= longest && std::none_of(text.begin(), text.end(), [](unsigned char c) {
           return (c < ' ' && c != '\t') || c == 0x7F;
         });
}
bool is_name(const Json& json) {
  return is_text(json, longest_told_name);
}
bool is_message(const Json& json) {
  return is_text(json, longest_told_message);
}
bool is_excerpt_text(const Json& json) {
  return is_text(json, longest_excerpt);
}

bool is_coordinates(const Json& json) {
  return json.size() == 3 && is_array_of(json, 3, is_number);
}

bool is_place(const Json& json) {
  return is_object_of(json, {{"file", is_name}, {"line", is_number}, {"column", is_number}}) ||
         is_object_of(json, {{"function", is_name}, {"ptx_line", is_number}});
}

bool is_excerpt(const Json& json) {
  return is_object_of(json,
                      {{"line", is_number}, {"column", is_number}, {"text", is_excerpt_text}});
}

bool is_use(const Json& json) {
  return json == "reads" || json == "writes" || json == "loads into";
}

bool is_bytes(const Json& json) {
  return is_object_of(
      json, {{"use", is_use}, {"of", is_name}, {"first", is_number}, {"count", is_number}});
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

bool is_note_message(const Json& json) {
  return is_message(json) &&
         std::ranges::any_of(tmaemu::note_sentences(), [&](const tmaemu::NoteEntry& entry) {
           return says(json.get_ref<const std::string&>(), entry.text);
         });
}

bool is_note(const Json& json) {
  return is_object_of(
      json, {{"message", is_note_message}, {"place", is_place}, {"excerpt", is_excerpt, optional}});
}

bool is_waited_for(const Json& json) {
  if (!json.is_object()) return false;
  const auto is_kind = [](const char* kind) {
    return [kind](const Json& name) { return name == kind; };
  };
  const auto kind = json.find("kind");
  if (kind == json.end() || !kind->is_string()) return false;
  constexpr Check any = [](const Json&) { return true; };
  if (is_kind("mbarrier")(*kind)) {
    return is_object_of(json, {{"kind", any},
                               {"name", is_name},
                               {"initialized", is_true_or_false},
                               {"parity", is_parity},
                               {"current_parity", is_parity},
                               {"arrivals_missing", is_number},
                               {"arrivals_expected", is_number},
                               {"bytes_missing", is_signed_number},
                               {"polled", is_true_or_false, optional}});
  }
  if (is_kind("barrier")(*kind)) {
    return is_object_of(
        json,
        {{"kind", any}, {"number", is_number}, {"arrived", is_number}, {"expected", is_number}});
  }
  if (is_kind("warp")(*kind)) return is_object_of(json, {{"kind", any}, {"members", is_number}});
  return (is_kind("cluster barrier")(*kind) || is_kind("poll")(*kind)) &&
         is_object_of(json, {{"kind", any}});
}

bool is_waiters(const Json& json) {
  return is_object_of(json, {{"place", is_place},
                             {"threads", is_number},
                             {"block", is_coordinates},
                             {"thread", is_coordinates},
                             {"waiting_for", is_waited_for}});
}

bool is_code(const Json& json) {
  return json.is_string() &&
         tmaemu::find_finding_code(json.get_ref<const std::string&>()).has_value();
}
bool is_notes(const Json& json) {
  return is_array_of(json, most_notes, is_note);
}
bool is_list_of_waiters(const Json& json) {
  return is_array_of(json, most_waiters, is_waiters);
}

// Whether the registry has a sentence of this code that says the message and gives the help.
bool is_of_registry(const Json& json, tmaemu::FindingCode code) {
  const auto& message = json["message"].get_ref<const std::string&>();
  const std::string help = json.value("help", std::string());
  return std::ranges::any_of(tmaemu::finding_sentences(), [&](const tmaemu::SentenceEntry& entry) {
    return entry.code == code && entry.help == help && says(message, entry.text);
  });
}

bool is_finding(const Json& json) {
  return is_object_of(json, {{"code", is_code},
                             {"message", is_message},
                             {"place", is_place},
                             {"excerpt", is_excerpt},
                             {"block", is_coordinates},
                             {"thread", is_coordinates},
                             {"bytes", is_bytes, optional},
                             {"notes", is_notes, optional},
                             {"waiters", is_list_of_waiters, optional},
                             {"waiters_left_out", is_number, optional},
                             {"rule", is_message, optional},
                             {"help", is_message, optional}});
}

}  // namespace

std::optional<std::variant<Finding, FindingCount>> read_finding(std::string_view line) {
  if (line.size() > longest_line) return std::nullopt;
  const Json json = Json::parse(line, nullptr, false);  // discarded where it is no JSON
  if (is_object_of(json, {{"finding", is_number}, {"count", is_number}})) {
    return FindingCount{json["finding"].get<std::uint64_t>(), json["count"].get<std::uint64_t>()};
  }
  if (!is_finding(json)) return std::nullopt;
  const auto code = tmaemu::find_finding_code(json["code"].get_ref<const std::string&>());
  if (!is_of_registry(json, *code)) return std::nullopt;
  return Finding{*code, json.dump()};
}

}  // namespace judge
