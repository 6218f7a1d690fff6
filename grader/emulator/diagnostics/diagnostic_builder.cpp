#include "emulator/diagnostics/diagnostic_builder.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <variant>

#include "common/text.h"
#include "contract/findings/sentences.h"
#include "emulator/diagnostics/clean_text.h"
#include "emulator/diagnostics/help.h"

namespace tmaemu {
namespace {

constexpr std::size_t longest_sentence = 1200;
constexpr std::size_t longest_rule = 400;
constexpr std::size_t longest_value = 200;
constexpr std::size_t most_notes = 8;
constexpr std::size_t most_calls = 3;
constexpr std::size_t most_waiters = 40;

// A sentence of the registry with `value(name)` for each {name} in it.
template <class Lookup>
std::string filled(std::string_view sentence, Lookup value) {
  std::string text;
  for (;;) {
    const std::size_t open = sentence.find('{');
    text += sentence.substr(0, open);
    if (open == std::string_view::npos) return clean_text(text, longest_sentence);
    const std::size_t close = sentence.find('}', open);
    text += value(sentence.substr(open + 1, close - open - 1));
    sentence.remove_prefix(close + 1);
  }
}

std::string message_of(const Finding& finding) {
  return filled(
      entry_of(finding.sentence).text, [&, next = std::size_t{0}](std::string_view name) mutable {
        if (name == "rule") return clean_text(finding.rule, longest_rule);
        const bool is_there = next < finding.values.size();
        return is_there ? clean_text(finding.values[next++].text, longest_value) : std::string();
      });
}

std::string message_of(const Note& note, const Places& places) {
  return filled(entry_of(note.sentence).text, [&](std::string_view name) {
    if (name == "pairs") return common::counted(note.pairs, "other pair");
    return name == "bytes" ? text_of(places.bytes(note.bytes))
                           : text_of(places.thread(note.cta, note.thread));
  });
}

Diagnostic::Waiters named(const Waiters& waiters, const Places& places) {
  Diagnostic::Waiters named{places.place(waiters.site),
                            waiters.threads,
                            places.thread(waiters.cta, waiters.first),
                            waiters.waited_for,
                            {}};
  if (const auto* wait = std::get_if<MbarrierWait>(&waiters.waited_for)) {
    named.mbarrier = places.object(wait->offset);
  }
  return named;
}

// Waits for one thing at one line are one, also where the compiler unrolled the loop.
void add_waiters(const Finding& finding, const Places& places, Diagnostic& to) {
  std::vector<Places::Line> lines;
  for (const Waiters& waiters : finding.waiters) {
    const Places::Line line = places.line(waiters.site);
    std::size_t same = 0;
    while (same < lines.size() &&
           (lines[same] != line || to.waiters[same].waited_for != waiters.waited_for)) {
      ++same;
    }
    if (same < lines.size()) {
      to.waiters[same].threads += waiters.threads;
    } else if (lines.size() < most_waiters) {
      lines.push_back(line);
      to.waiters.push_back(named(waiters, places));
    } else {
      ++to.waiters_left_out;
    }
  }
}

void add_calls(const std::vector<Call>& calls, std::vector<Diagnostic::Note>& notes) {
  for (const Call& call : std::span(calls).first(std::min(calls.size(), most_calls))) {
    notes.push_back({std::string(entry_of(call.sentence).text), call.place, call.excerpt});
  }
}

}  // namespace

Diagnostic diagnostic_of(const Finding& finding, const Places& places, const SourceFiles& files) {
  Diagnostic diagnostic{.code = finding.code().code,
                        .message = message_of(finding),
                        .place = places.place(finding.site),
                        .excerpt = places.excerpt(finding.site, files),
                        .thread = places.thread(finding.cta, finding.thread),
                        .rule = clean_text(finding.rule, longest_rule),
                        .help = help_of(finding, places)};
  if (finding.bytes) {
    diagnostic.bytes = places.bytes(*finding.bytes);
    diagnostic.bytes->use = finding.use;
  }
  std::vector<Diagnostic::Note>& notes = diagnostic.notes;
  if (const auto wrapper = places.wrapper(finding.site)) {
    notes.push_back({std::string(entry_of(wrapper->sentence).text), wrapper->place, std::nullopt});
  }
  add_calls(places.alternatives(finding.site, files), notes);
  add_calls(places.calls(finding.site, files), notes);
  for (const Note& note : finding.notes) {
    if (notes.size() >= most_notes) break;
    const Places& its = places.of(note);
    notes.push_back({message_of(note, its), its.place(note.site), its.excerpt(note.site, files)});
    add_calls(its.alternatives(note.site, files), notes);
  }
  add_waiters(finding, places, diagnostic);
  return diagnostic;
}

Diagnostic diagnostic_of(const Finding& finding, const HostPlace& place, const SourceFiles& files) {
  Diagnostic diagnostic{.code = finding.code().code,
                        .message = message_of(finding),
                        .help = std::string(entry_of(finding.sentence).help)};
  if (place.line == 0) return diagnostic;
  diagnostic.place = {clean_text(place.file_name(), longest_value), place.line, 1};
  if (const auto text = files.line(place.file, place.line)) {
    diagnostic.excerpt = {place.line, 1, clean_text(*text, longest_rule)};
  }
  return diagnostic;
}

}  // namespace tmaemu
