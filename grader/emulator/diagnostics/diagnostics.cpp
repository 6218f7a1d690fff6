#include "emulator/diagnostics/diagnostics.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "contract/findings/shared_help.h"
#include "emulator/diagnostics/diagnostic_builder.h"
#include "emulator/diagnostics/library_findings.h"

namespace tmaemu {

Diagnostics::Key Diagnostics::key_of(const Finding& finding) const {
  Key key{finding.sentence, places_.lines(finding.site), {}};
  if (!finding.notes.empty()) {
    const Note& note = finding.notes.front();
    key.other = places_.of(note).lines(note.site);
  }
  return key;
}

// As they would be told by themselves.
std::vector<Finding> Diagnostics::explained_by(const Finding& finding) {
  std::vector<Finding> all;
  for (const Explained& each : finding.explains) {
    all.push_back({each.sentence, {}, each.site});
    all.back().notes.push_back({finding.notes.front().sentence, each.other});
  }
  return all;
}

KnownFindings::Key Diagnostics::key_in_process(const Finding& finding) const {
  const auto lines = [](const Places& places, std::uint32_t site) {
    std::string text = places.place(site).name;
    for (const Places::Line& line : places.lines(site)) {
      text += ":" + std::to_string(line.file) + ":" + std::to_string(line.number);
    }
    return text;
  };
  KnownFindings::Key key{program_hash_, finding.sentence, lines(places_, finding.site), ""};
  if (!finding.notes.empty()) {
    const Note& note = finding.notes.front();
    key.other = lines(places_.of(note), note.site);
  }
  return key;
}

std::uint64_t Diagnostics::cluster_of(const Dimensions& cta) const {
  const Dimensions& grid = request_.grid;
  const Dimensions& cluster = request_.cluster;
  const std::uint64_t across = grid.x / cluster.x;
  const std::uint64_t down = grid.y / cluster.y;
  return cta.x / cluster.x + across * (cta.y / cluster.y + down * (cta.z / cluster.z));
}

void Diagnostics::report(const Finding& finding) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t cluster = cluster_of(finding.cta);
  // Clusters that see each other's effects are run by one host thread, in one order.
  // A later cluster may find what one that has ended did.
  if (program_.is_ordered || cluster <= first_running_) {
    send({finding, 1});
  } else {
    add(held_[cluster], finding);
  }
}

void Diagnostics::add(std::vector<Repeated>& list, const Finding& finding) const {
  const auto same = std::ranges::find_if(
      list, [&](const Repeated& other) { return key_of(other.finding) == key_of(finding); });
  if (same != list.end()) {
    ++same->count;
  } else {
    list.push_back({finding, 1});
  }
}

void Diagnostics::cluster_ended(std::uint64_t cluster) {
  const std::lock_guard lock(mutex_);
  if (cluster != first_running_) {
    ended_.insert(cluster);
    return;
  }
  do {
    ++first_running_;
    if (const auto held = held_.find(first_running_); held != held_.end()) {
      for (const Repeated& repeated : held->second) send(repeated);
      held_.erase(held);
    }
  } while (ended_.erase(first_running_) != 0);
}

void Diagnostics::all_clusters_ended() {
  const std::lock_guard lock(mutex_);
  for (const auto& [cluster, held] : std::exchange(held_, {})) {
    for (const Repeated& repeated : held) send(repeated);
  }
}

Diagnostics::Reported* Diagnostics::find_reported(const Finding& finding) {
  const Key key = key_of(finding);
  if (const auto other = told_with_.find(key); other != told_with_.end()) {
    return &reported_.at(other->second);
  }
  const auto known = reported_.find(key);
  return known == reported_.end() ? nullptr : &known->second;
}

void Diagnostics::send(const Repeated& repeated) {
  const Key key = key_of(repeated.finding);
  const std::vector<Finding> explained = explained_by(repeated.finding);
  Reported* known = find_reported(repeated.finding);
  for (const Finding& each : explained) {
    if (known == nullptr) known = find_reported(each);
  }
  if (known != nullptr) {
    known->count += repeated.count;
    return;
  }
  if (!reports_library_findings() && is_known_of_library(repeated.finding, places_)) {
    return output_.leave_out();
  }
  if (program_hash_ == 0) program_hash_ = std::hash<std::string>()(program_.module->text);
  KnownFindings::Key in_process = key_in_process(repeated.finding);
  if (output_.merges_launches() && known_findings().counts(in_process, repeated.count)) return;
  Diagnostic diagnostic = diagnostic_of(repeated.finding, places_, output_.source_files());
  const bool is_deadlock = !repeated.finding.waiters.empty();
  if (is_deadlock && !reported_.empty()) {
    diagnostic.help = std::string(help_behind_others) + diagnostic.help;
  }
  const auto number = output_.report(diagnostic);
  ++findings_reported();
  for (const Finding& each : explained) told_with_.emplace(key_of(each), key);
  reported_.emplace(key,
                    Reported{std::move(in_process), std::move(diagnostic), number, repeated.count});
}

void Diagnostics::fault(const Finding& finding) {
  const std::lock_guard lock(mutex_);
  send({finding, 1});
}

void Diagnostics::finish() {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, reported] : reported_) {
    if (reported.count > 1 && reported.number) {
      output_.count(*reported.number, reported.diagnostic, reported.count);
    }
    if (output_.merges_launches() && reported.number) {
      known_findings().add(reported.in_process, *reported.number, reported.diagnostic,
                           reported.count);
    }
  }
}

}  // namespace tmaemu
