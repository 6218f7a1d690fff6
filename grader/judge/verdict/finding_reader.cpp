#include "judge/verdict/finding_reader.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "contract/findings/helps.h"
#include "contract/findings/ptx_names.h"
#include "contract/findings/shared_help.h"
#include "contract/rendering/json_line.h"

namespace judge {
namespace {

using Json = nlohmann::ordered_json;
using tmaemu::Diagnostic;
using tmaemu::Longest;

constexpr std::size_t longest_line = std::size_t{64} << 10;
constexpr std::int64_t largest_number = std::int64_t{1} << 53;  // what every reader of JSON keeps

// Thrown where a line is not what the emulator writes, caught where the line is read.
struct Unreadable {};

void demand(bool is_so) {
  if (!is_so) throw Unreadable();
}

std::int64_t read_integer(const Json& json, std::int64_t least, std::int64_t most) {
  demand(json.is_number_integer());
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  demand(!json.is_number_unsigned() || json.get<std::uint64_t>() <= largest);
  const auto value = json.get<std::int64_t>();
  demand(value >= least && value <= most);
  return value;
}

template <std::integral Number>
void read_value(const Json& json, Number& value) {
  constexpr std::uint64_t most = std::numeric_limits<Number>::max();
  value = static_cast<Number>(read_integer(
      json, 0, static_cast<std::int64_t>(std::min<std::uint64_t>(most, largest_number))));
}

void read_value(const Json& json, bool& flag) {
  demand(json.is_boolean());
  flag = json.get<bool>();
}

// Tabs may be in a line of source, and nothing else that a terminal obeys.
void read_value(const Json& json, std::string& text, Longest longest) {
  demand(json.is_string());
  text = json.get<std::string>();
  demand(text.size() <= longest.size && std::ranges::none_of(text, [](unsigned char c) {
           return (c < ' ' && c != '\t') || c == 0x7F;
         }));
}

void read_value(const Json& json, std::array<std::uint32_t, 3>& coordinates) {
  demand(json.is_array() && json.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) read_value(json[i], coordinates[i]);
}

// Reads an object, all of it: a member that nobody asks for makes it unreadable.
class Reader {
 public:
  template <class Object>
  static void read_object(const Json& json, Object& value) {
    visit_object(json, [&value](Reader& reader) { fields(reader, value); });
  }
  template <class Visit>
  static void visit_object(const Json& json, Visit visit) {
    demand(json.is_object());
    Reader reader(json);
    visit(reader);
    demand(reader.asked_for_ == json.size());
  }

  template <class Value, class... Limit>
  void operator()(const char* name, Value& value, Limit... limit) {
    const Json& json = member(name);
    if constexpr (requires { read_value(json, value, limit...); }) {
      read_value(json, value, limit...);
    } else {
      read_object(json, value);
    }
  }
  template <class Element>
  void operator()(const char* name, std::vector<Element>& elements, Longest most) {
    const Json& json = member(name);
    demand(json.is_array() && json.size() <= most.size);
    for (const Json& element : json) read_object(element, elements.emplace_back());
  }

  void bit(const char* name, bool& value) { value = read_integer(member(name), 0, 1) == 1; }
  void difference(const char* name, std::int64_t& value) {
    value = read_integer(member(name), -largest_number, largest_number);
  }
  template <class Value, class Choices, class Name>
  void one_of(const char* name, Value& value, const Choices& choices, Name name_of) {
    std::string said;
    read_value(member(name), said, tmaemu::longest::name);
    const auto found = std::ranges::find(choices, said, name_of);
    demand(found != choices.end());
    value = *found;
  }
  bool begins_with(const char* name, bool& is_so) const { return is_so = json_.contains(name); }

  template <class Visit>
  void object(const char* name, Visit visit) {
    visit_object(member(name), visit);
  }
  // No member says nothing: the emulator writes no empty list.
  template <class Value, class... Limit>
  void if_any(const char* name, Value& value, Limit... limit) {
    if (!json_.contains(name)) return;
    (*this)(name, value, limit...);
    demand(value != Value{});
  }
  template <class Value>
  void if_any(const char* name, std::optional<Value>& value) {
    if (json_.contains(name)) (*this)(name, value.emplace());
  }
  template <class Value>
  void members_if_any(const char* first, std::optional<Value>& value) {
    if (json_.contains(first)) fields(*this, value.emplace());
  }

 private:
  explicit Reader(const Json& json) : json_(json) {}

  const Json& member(const char* name) {
    demand(json_.contains(name));
    ++asked_for_;
    return json_[name];
  }

  const Json& json_;
  std::size_t asked_for_ = 0;
};

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

bool is_of_registry(const Diagnostic::Note& note) {
  return std::ranges::any_of(tmaemu::note_sentences(), [&](const tmaemu::NoteEntry& entry) {
    return says(note.message, entry.text);
  });
}

bool gives_help_of(const Diagnostic& diagnostic, tmaemu::Sentence sentence) {
  std::string_view help = diagnostic.help;
  if (!diagnostic.waiters.empty() && help.starts_with(tmaemu::help_behind_others)) {
    help.remove_prefix(tmaemu::help_behind_others.size());
  }
  return std::ranges::any_of(tmaemu::helps_of(sentence), [&](const std::string& pattern) {
    return says(help, pattern) || says(help, tmaemu::in_ptx(pattern));
  });
}

// Whether the registry has a sentence of this code that says the message and gives the help.
bool is_of_registry(const Diagnostic& diagnostic) {
  const auto sentences = tmaemu::finding_sentences();
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].code == diagnostic.code && says(diagnostic.message, sentences[i].text) &&
        gives_help_of(diagnostic, static_cast<tmaemu::Sentence>(i))) {
      return true;
    }
  }
  return false;
}

std::variant<Finding, FindingCount> read_line(const Json& json) {
  demand(json.is_object());
  if (json.contains("finding")) {
    FindingCount count;
    Reader::read_object(json, count);
    return count;
  }
  Diagnostic diagnostic{};
  Reader::read_object(json, diagnostic);
  demand(diagnostic.place && diagnostic.excerpt && diagnostic.thread);
  demand(is_of_registry(diagnostic) &&
         std::ranges::all_of(diagnostic.notes,
                             [](const Diagnostic::Note& note) { return is_of_registry(note); }));
  return Finding{std::move(diagnostic)};
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
