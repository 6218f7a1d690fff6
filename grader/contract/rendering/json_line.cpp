#include "contract/rendering/json_line.h"

#include "common/json_text.h"
#include "contract/rendering/json_fields.h"
#include "contract/rendering/styled_text.h"

namespace tmaemu {
namespace {

using common::json::array;
using common::json::number;

// Writes an object.
class Writer {
 public:
  void operator()(std::string_view name, const std::string& text, Longest) {
    add(name, common::json::quoted(text));
  }
  void operator()(std::string_view name, bool flag) { add(name, flag ? "true" : "false"); }
  template <std::integral Number>
  void operator()(std::string_view name, Number value) {
    add(name, std::to_string(value));
  }
  void operator()(std::string_view name, const std::array<std::uint32_t, 3>& coordinates) {
    add(name, array(coordinates, number));
  }
  template <class Element>
  void operator()(std::string_view name, const std::vector<Element>& elements, Longest) {
    add(name, array(elements, [](const Element& element) { return object_of(element); }));
  }
  template <class Object>
  requires std::is_class_v<Object>
  void operator()(std::string_view name, const Object& value) { add(name, object_of(value)); }

  void bit(std::string_view name, bool value) { add(name, value ? "1" : "0"); }
  void difference(std::string_view name, std::int64_t value) { (*this)(name, value); }
  template <class Value, class Choices, class Name>
  void one_of(std::string_view name, const Value& value, const Choices&, Name name_of) {
    add(name, common::json::quoted(name_of(value)));
  }
  static bool begins_with(std::string_view, bool is_so) { return is_so; }

  template <class Visit>
  void object(std::string_view name, Visit visit) {
    Writer inner;
    visit(inner);
    add(name, inner.text());
  }
  // No member where there is nothing to say.
  template <class Value, class... Limit>
  void if_any(std::string_view name, const Value& value, Limit... limit) {
    if (value != Value{}) (*this)(name, value, limit...);
  }
  template <class Value>
  void if_any(std::string_view name, const std::optional<Value>& value) {
    if (value) (*this)(name, *value);
  }
  template <class Value>
  void members_if_any(std::string_view, const std::optional<Value>& value) {
    if (value) fields(*this, *value);
  }

  void add(std::string_view name, const std::string& json) {
    text_ += (text_.empty() ? "" : ",") + common::json::quoted(name) + ":" + json;
  }
  std::string text() const { return "{" + text_ + "}"; }

  template <class Object>
  static std::string object_of(const Object& value) {
    Writer writer;
    fields(writer, value);
    return writer.text();
  }

 private:
  std::string text_;
};

std::string json(const StyledText& text) {
  return array(text, [](const StyledLine& line) {
    return array(line, [](const Span& span) {
      return "[" + common::json::quoted(name_of(span.style)) + "," +
             common::json::quoted(span.text) + "]";
    });
  });
}

}  // namespace

std::string json_line(const Diagnostic& diagnostic) {
  return Writer::object_of(diagnostic);
}

std::string json_line_with_text(const Diagnostic& diagnostic, std::optional<std::uint64_t> count) {
  StyledText text = rendered(diagnostic);
  if (count > 1) text.push_back(rendered_count(diagnostic, *count));
  Writer writer;
  fields(writer, diagnostic);
  writer.add("text", json(text));
  if (count) writer("count", *count);
  return writer.text();
}

std::string json_count_line(std::uint64_t finding, std::uint64_t count) {
  return Writer::object_of(FindingCount{finding, count});
}

}  // namespace tmaemu
