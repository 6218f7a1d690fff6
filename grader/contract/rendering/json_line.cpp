#include "contract/rendering/json_line.h"

#include <variant>

#include "common/json_text.h"
#include "contract/rendering/styled_text.h"

namespace tmaemu {
namespace {

using common::json::array;
using common::json::number;
using common::json::object;

std::string json(bool value) {
  return value ? "true" : "false";
}

std::string json(const std::array<std::uint32_t, 3>& coordinates) {
  return array(coordinates, number);
}

std::string json(const SourcePlace& place) {
  if (place.is_ptx) {
    return object(
        {{"function", common::json::quoted(place.name)}, {"ptx_line", number(place.line)}});
  }
  return object({{"file", common::json::quoted(place.name)},
                 {"line", number(place.line)},
                 {"column", number(place.column)}});
}

std::string json(const Excerpt& excerpt) {
  return object({{"line", number(excerpt.line)},
                 {"column", number(excerpt.column)},
                 {"text", common::json::quoted(excerpt.text)}});
}

std::string json(const NamedBytes& bytes, BytesUse use) {
  return object({{"use", common::json::quoted(text_of(use))},
                 {"of", common::json::quoted(bytes.of)},
                 {"first", number(bytes.first)},
                 {"count", number(bytes.count)}});
}

std::string json(const Diagnostic::Note& note) {
  return object({{"message", common::json::quoted(note.message)},
                 {"place", json(note.place)},
                 {"excerpt", note.excerpt ? json(*note.excerpt) : ""}});
}

struct WaitJson {
  const std::string& mbarrier;

  std::string operator()(const MbarrierWait& wait) const {
    return object({{"kind", common::json::quoted("mbarrier")},
                   {"name", common::json::quoted(mbarrier)},
                   {"initialized", json(wait.is_initialized)},
                   {"parity", number(wait.parity ? 1 : 0)},
                   {"current_parity", number(wait.current_parity ? 1 : 0)},
                   {"arrivals_missing", std::to_string(wait.arrivals_missing)},
                   {"arrivals_expected", std::to_string(wait.arrivals_expected)},
                   {"bytes_missing", std::to_string(wait.bytes_missing)},
                   {"polled", wait.is_polled ? json(true) : std::string()}});
  }
  std::string operator()(const CtaBarrierWait& wait) const {
    return object({{"kind", common::json::quoted("barrier")},
                   {"number", number(wait.barrier)},
                   {"arrived", number(wait.arrived)},
                   {"expected", number(wait.expected)}});
  }
  std::string operator()(const ClusterBarrierWait&) const {
    return object({{"kind", common::json::quoted("cluster barrier")}});
  }
  std::string operator()(const WarpWait& wait) const {
    return object({{"kind", common::json::quoted("warp")}, {"members", number(wait.members)}});
  }
  std::string operator()(const WholeWarpWait&) const {
    return object({{"kind", common::json::quoted("whole warp")}});
  }
  std::string operator()(const WarpgroupWait&) const {
    return object({{"kind", common::json::quoted("warpgroup")}});
  }
  std::string operator()(const RegistersWait& wait) const {
    return object({{"kind", common::json::quoted("registers")},
                   {"wanted", number(wait.wanted)},
                   {"owned", number(wait.owned)},
                   {"in_pool", number(wait.in_pool)}});
  }
  std::string operator()(const PollWait&) const {
    return object({{"kind", common::json::quoted("poll")}});
  }
};

std::string json(const Diagnostic::Waiters& waiters) {
  return object({{"place", json(waiters.place)},
                 {"threads", number(waiters.threads)},
                 {"block", json(waiters.first.block)},
                 {"thread", json(waiters.first.thread)},
                 {"waiting_for", std::visit(WaitJson{waiters.mbarrier}, waiters.waited_for)}});
}

// No member where there is nothing to say.
template <class Elements>
std::string json_unless_empty(const Elements& elements) {
  using Element = typename Elements::value_type;
  return elements.empty() ? "" : array(elements, [](const Element& each) { return json(each); });
}

std::string quoted_unless_empty(const std::string& text) {
  return text.empty() ? "" : common::json::quoted(text);
}

template <class Value>
std::string json_if_any(const std::optional<Value>& value) {
  return value ? json(*value) : "";
}

std::string json(const Span& span) {
  return "[" + common::json::quoted(name_of(span.style)) + "," + common::json::quoted(span.text) +
         "]";
}

std::string json(const StyledText& text) {
  return array(text, [](const StyledLine& line) {
    return array(line, [](const Span& span) { return json(span); });
  });
}

// `text` and `count` are JSON, or empty.
std::string line_of(const Diagnostic& diagnostic, const std::string& text,
                    const std::string& count) {
  const auto& [block, thread] = diagnostic.thread.value_or(ThreadIndices{});
  const bool has_thread = diagnostic.thread.has_value();
  const std::uint64_t left_out = diagnostic.waiters_left_out;
  return object({{"code", common::json::quoted(entry_of(diagnostic.code).name)},
                 {"message", common::json::quoted(diagnostic.message)},
                 {"place", json_if_any(diagnostic.place)},
                 {"excerpt", json_if_any(diagnostic.excerpt)},
                 {"block", has_thread ? json(block) : ""},
                 {"thread", has_thread ? json(thread) : ""},
                 {"bytes", diagnostic.bytes ? json(*diagnostic.bytes, diagnostic.use) : ""},
                 {"notes", json_unless_empty(diagnostic.notes)},
                 {"waiters", json_unless_empty(diagnostic.waiters)},
                 {"waiters_left_out", left_out > 0 ? number(left_out) : ""},
                 {"rule", quoted_unless_empty(diagnostic.rule)},
                 {"help", quoted_unless_empty(diagnostic.help)},
                 {"text", text},
                 {"count", count}});
}

}  // namespace

std::string json_line(const Diagnostic& diagnostic) {
  return line_of(diagnostic, "", "");
}

std::string json_line_with_text(const Diagnostic& diagnostic, std::optional<std::uint64_t> count) {
  StyledText text = rendered(diagnostic);
  if (count > 1) text.push_back(rendered_count(diagnostic, *count));
  return line_of(diagnostic, json(text), count ? number(*count) : "");
}

std::string json_count_line(std::uint64_t finding, std::uint64_t count) {
  return object({{"finding", number(finding)}, {"count", number(count)}});
}

}  // namespace tmaemu
