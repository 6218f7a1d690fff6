// What of a diagnostic is in its JSON, under which names and in which order. It is told once, to a
// form: json_line.cpp has the one that writes, the judge's finding_reader.cpp the one that reads.
// How long a text or a list may be concerns the reader, who need not trust who has written.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "contract/rendering/diagnostic.h"

namespace tmaemu {

struct Longest {
  std::size_t size;
};

// Above what the emulator writes (diagnostics/diagnostic_builder.cpp), for texts in bytes.
namespace longest {
inline constexpr Longest sentence{2000};
inline constexpr Longest name{256};
inline constexpr Longest excerpt{512};
inline constexpr Longest notes{16};
inline constexpr Longest waiters{64};
}  // namespace longest

// How often the finding of a number was found; the first line has number 0.
struct FindingCount {
  std::uint64_t finding = 0;
  std::uint64_t count = 0;
};

// A `Kind`, which a form that reads fills in, and one that writes leaves as it is.
template <class Given, class Kind>
concept A = std::same_as<std::remove_const_t<Given>, Kind>;

void fields(auto& form, A<FindingCount> auto& count) {
  form("finding", count.finding);
  form("count", count.count);
}

void fields(auto& form, A<SourcePlace> auto& place) {
  if (form.begins_with("function", place.is_ptx)) {
    form("function", place.name, longest::name);
    form("ptx_line", place.line);
  } else {
    form("file", place.name, longest::name);
    form("line", place.line);
    form("column", place.column);
  }
}

void fields(auto& form, A<Excerpt> auto& excerpt) {
  form("line", excerpt.line);
  form("column", excerpt.column);
  form("text", excerpt.text, longest::excerpt);
}

inline constexpr std::array bytes_uses{BytesUse::reads, BytesUse::writes, BytesUse::loads_into};
void fields(auto& form, A<NamedBytes> auto& bytes) {
  form.one_of("use", bytes.use, bytes_uses, [](BytesUse use) { return text_of(use); });
  form("of", bytes.of, longest::name);
  form("first", bytes.first);
  form("count", bytes.count);
}

// Members of what has a thread.
void fields(auto& form, A<ThreadIndices> auto& thread) {
  form("block", thread.block);
  form("thread", thread.thread);
}

void fields(auto& form, A<Diagnostic::Note> auto& note) {
  form("message", note.message, longest::sentence);
  form("place", note.place);
  form.if_any("excerpt", note.excerpt);
}

void fields(auto& form, A<MbarrierWait> auto& wait) {
  form("initialized", wait.is_initialized);
  form.bit("parity", wait.parity);
  form.bit("current_parity", wait.current_parity);
  form("arrivals_missing", wait.arrivals_missing);
  form("arrivals_expected", wait.arrivals_expected);
  form.difference("bytes_missing", wait.bytes_missing);
  form.if_any("polled", wait.is_polled);
}
void fields(auto& form, A<CtaBarrierWait> auto& wait) {
  form("number", wait.barrier);
  form("arrived", wait.arrived);
  form("expected", wait.expected);
}
void fields(auto& form, A<WarpWait> auto& wait) {
  form("members", wait.members);
}
void fields(auto& form, A<RegistersWait> auto& wait) {
  form("wanted", wait.wanted);
  form("owned", wait.owned);
  form("in_pool", wait.in_pool);
}
void fields(auto&, A<ClusterBarrierWait> auto&) {}
void fields(auto&, A<WholeWarpWait> auto&) {}
void fields(auto&, A<WarpgroupWait> auto&) {}
void fields(auto&, A<PollWait> auto&) {}

// One of each, and what it is called.
inline constexpr std::array<WaitedFor, std::variant_size_v<WaitedFor>> waits{
    MbarrierWait(),  CtaBarrierWait(), ClusterBarrierWait(), WarpWait(),
    WholeWarpWait(), WarpgroupWait(),  RegistersWait(),      PollWait()};
inline constexpr std::array<std::string_view, waits.size()> wait_kinds{
    "mbarrier",   "barrier",   "cluster barrier", "warp",
    "whole warp", "warpgroup", "registers",       "poll"};

void fields(auto& form, A<Diagnostic::Waiters> auto& waiters) {
  form("place", waiters.place);
  form("threads", waiters.threads);
  fields(form, waiters.first);
  form.object("waiting_for", [&waiters](auto& inner) {
    inner.one_of("kind", waiters.waited_for, waits,
                 [](const WaitedFor& wait) { return wait_kinds[wait.index()]; });
    if (std::holds_alternative<MbarrierWait>(waiters.waited_for)) {
      inner("name", waiters.mbarrier, longest::name);
    }
    std::visit([&inner](auto& wait) { fields(inner, wait); }, waiters.waited_for);
  });
}

// Clang 14 does not take the view of them that std::views::transform makes.
inline const std::vector<FindingCode>& every_code() {
  static const std::vector<FindingCode> codes = [] {
    std::vector<FindingCode> found;
    for (const CodeEntry& entry : finding_codes()) found.push_back(entry.code);
    return found;
  }();
  return codes;
}

void fields(auto& form, A<Diagnostic> auto& diagnostic) {
  form.one_of("code", diagnostic.code, every_code(),
              [](FindingCode code) { return entry_of(code).name; });
  form("message", diagnostic.message, longest::sentence);
  form.if_any("place", diagnostic.place);
  form.if_any("excerpt", diagnostic.excerpt);
  form.members_if_any("block", diagnostic.thread);
  form.if_any("bytes", diagnostic.bytes);
  form.if_any("notes", diagnostic.notes, longest::notes);
  form.if_any("waiters", diagnostic.waiters, longest::waiters);
  form.if_any("waiters_left_out", diagnostic.waiters_left_out);
  form.if_any("rule", diagnostic.rule, longest::sentence);
  form.if_any("help", diagnostic.help, longest::sentence);
}

}  // namespace tmaemu
