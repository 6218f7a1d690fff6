#include "emulator/rendering/json_line.h"

#include <variant>

#include "common/json_text.h"

namespace tmaemu {
namespace {

using common::json::array;
using common::json::object;

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::string json(bool value) {
  return value ? "true" : "false";
}

std::string json(const std::array<std::uint32_t, 3>& coordinates) {
  return array(coordinates, number);
}

std::string json(const ToldPlace& place) {
  if (place.is_ptx) {
    return object(
        {{"function", common::json::quoted(place.name)}, {"ptx_line", number(place.line)}});
  }
  return object({{"file", common::json::quoted(place.name)},
                 {"line", number(place.line)},
                 {"column", number(place.column)}});
}

std::string json(const ToldExcerpt& excerpt) {
  return object({{"line", number(excerpt.line)},
                 {"column", number(excerpt.column)},
                 {"text", common::json::quoted(excerpt.text)}});
}

std::string json(const ToldBytes& bytes, BytesUse use) {
  return object({{"use", common::json::quoted(text_of(use))},
                 {"of", common::json::quoted(bytes.of)},
                 {"first", number(bytes.first)},
                 {"count", number(bytes.count)}});
}

std::string json(const ToldNote& note) {
  return object({{"message", common::json::quoted(note.message)},
                 {"place", json(note.place)},
                 {"excerpt", note.excerpt ? json(*note.excerpt) : std::string()}});
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
  std::string operator()(const PollWait&) const {
    return object({{"kind", common::json::quoted("poll")}});
  }
};

std::string json(const ToldWaiters& waiters) {
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

}  // namespace

std::string json_line(const ToldFinding& finding) {
  const bool left_out = finding.waiters_left_out > 0;
  return object({{"code", common::json::quoted(entry_of(finding.code).name)},
                 {"message", common::json::quoted(finding.message)},
                 {"place", json(finding.place)},
                 {"excerpt", json(finding.excerpt)},
                 {"block", json(finding.thread.block)},
                 {"thread", json(finding.thread.thread)},
                 {"bytes", finding.bytes ? json(*finding.bytes, finding.use) : std::string()},
                 {"notes", json_unless_empty(finding.notes)},
                 {"waiters", json_unless_empty(finding.waiters)},
                 {"waiters_left_out", left_out ? number(finding.waiters_left_out) : std::string()},
                 {"rule", quoted_unless_empty(finding.rule)},
                 {"help", quoted_unless_empty(finding.help)}});
}

std::string json_count_line(std::uint64_t finding, std::uint64_t count) {
  return object({{"finding", number(finding)}, {"count", number(count)}});
}

}  // namespace tmaemu
