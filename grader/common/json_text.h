// JSON for who writes a line of it: no more than texts, whole numbers, objects and arrays.
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

namespace common::json {

// The text as a string of JSON. It has to be UTF-8.
inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

inline std::string number(std::uint64_t value) {
  return std::to_string(value);
}

struct Member {
  std::string_view name;
  std::string value;  // JSON; empty: the object has no such member
};

inline std::string object(std::initializer_list<Member> members) {
  std::string text;
  for (const Member& member : members) {
    if (member.value.empty()) continue;
    text += (text.empty() ? "" : ",") + quoted(member.name) + ":" + member.value;
  }
  return "{" + text + "}";
}

template <class Elements, class ToJson>
std::string array(const Elements& elements, ToJson to_json) {
  std::string text;
  for (const auto& element : elements) text += (text.empty() ? "" : ",") + to_json(element);
  return "[" + text + "]";
}

}  // namespace common::json
