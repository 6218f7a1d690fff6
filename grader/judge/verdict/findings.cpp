#include "judge/verdict/findings.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "common/text.h"
#include "contract/findings/finding_codes.h"
#include "judge/verdict/finding_reader.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

// The registry's only sentence of its code. It is not asked for by its name in C++, for which the
// judge would be compiled again with each new finding.
const tmaemu::SentenceEntry& sentence_of_not_told() {
  const auto is_it = [](const tmaemu::SentenceEntry& sentence) {
    return tmaemu::entry_of(sentence.code).name == "not-told";
  };
  return *std::ranges::find_if(tmaemu::finding_sentences(), is_it);
}

// Stands for findings of which nothing but the number is known.
Finding not_told(std::uint64_t number, bool is_all) {
  const tmaemu::SentenceEntry& sentence = sentence_of_not_told();
  std::string message(sentence.text);
  const std::string what = is_all ? "mistake" : "more mistake";
  message.replace(message.find("{}"), 2, counted(number, what.c_str()));
  return {{.code = sentence.code, .message = message, .help = std::string(sentence.help)}};
}

}  // namespace

std::vector<Finding> read_findings(std::string_view lines, std::uint64_t announced) {
  // By their numbers in the stream; nothing where a line could not be read.
  std::vector<std::optional<Finding>> numbered;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    // What was cut off in the middle is as unreadable as any other nonsense.
    auto read = end == lines.npos ? std::nullopt : read_finding(lines.substr(0, end));
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    if (!read) {
      numbered.emplace_back();
    } else if (auto* finding = std::get_if<Finding>(&*read)) {
      numbered.emplace_back(std::move(*finding));
    } else if (const auto& count = std::get<FindingCount>(*read);
               count.finding < numbered.size() && numbered[count.finding]) {
      numbered[count.finding]->count = std::max<std::uint64_t>(count.count, 1);
    }
  }
  std::vector<Finding> findings;
  std::uint64_t readable = 0;
  for (auto& finding : numbered) {
    if (!finding) continue;
    ++readable;
    add_findings(findings, {*std::move(finding)});
  }
  const std::uint64_t all = std::max<std::uint64_t>(announced, numbered.size());
  if (all > readable) findings.push_back(not_told(all - readable, readable == 0));
  return findings;
}

void add_findings(std::vector<Finding>& to, const std::vector<Finding>& more) {
  for (const Finding& finding : more) {
    const auto same = std::ranges::find(to, finding.diagnostic, &Finding::diagnostic);
    if (same == to.end()) {
      to.push_back(finding);
    } else {
      same->count += finding.count;
    }
  }
}

std::string brief(const Finding& finding) {
  const tmaemu::Diagnostic& diagnostic = finding.diagnostic;
  const std::string place = diagnostic.place ? text_of(*diagnostic.place) + ": " : "";
  return concat(place, diagnostic.message, " [", finding.entry().name, "]");
}

}  // namespace judge
