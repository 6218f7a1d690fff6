#include "emulator/diagnostics/diagnostics.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "common/hexadecimal.h"

namespace tmaemu {
namespace {

bool is_header(std::string_view file) {
  return file.ends_with(".cuh") || file.ends_with(".h") || file.ends_with(".hpp") ||
         file.find("/cuda/std/") != std::string_view::npos ||
         file.find('.') == std::string_view::npos;
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// The program names the file: it may be no text, or have no end.
std::optional<std::string> read_line(const std::string& path, std::uint32_t number) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path);
  std::string line;
  for (std::uint32_t i = 0; i < number; ++i) {
    if (!std::getline(file, line)) return std::nullopt;
  }
  return line;
}

// The name of a file as a line of text: PTX may have any bytes in it, and as many as it likes.
std::string readable(std::string name) {
  constexpr std::size_t most_bytes = 100;
  name.resize(std::min(name.size(), most_bytes));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');
  return name;
}

void print_all(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// In all launches of the process.
std::atomic<std::uint64_t> findings_printed{0};

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// A sentence of the registry with `value(name)` for each {name} in it.
template <class Lookup>
std::string filled(std::string_view sentence, Lookup value) {
  std::string text;
  for (;;) {
    const std::size_t open = sentence.find('{');
    text += sentence.substr(0, open);
    if (open == std::string_view::npos) return text;
    const std::size_t close = sentence.find('}', open);
    text += value(sentence.substr(open + 1, close - open - 1));
    sentence.remove_prefix(close + 1);
  }
}

std::string dimensions_text(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

}  // namespace

// The place to show first: where the student's own source calls what went wrong. Wrappers in
// headers are inlined there, and named after it.
const ptx::SourceLocation* Diagnostics::students_place(std::uint32_t site) const {
  if (site >= program_.sites.size()) return nullptr;
  const ptx::Module& module = *program_.module;
  const ptx::SourceLocation* innermost = &program_.sites[site]->source;
  for (const ptx::SourceLocation* place = innermost; place->line != 0 && place->file >= 0;) {
    if (!is_header(module.files[static_cast<std::size_t>(place->file)])) return place;
    if (place->inlined_at < 0) break;
    place = &module.inline_sites[static_cast<std::size_t>(place->inlined_at)].call;
  }
  return innermost->line != 0 && innermost->file >= 0 ? innermost : nullptr;
}

std::string Diagnostics::place_text(const ptx::SourceLocation& place) const {
  return readable(base_name(program_.module->files[static_cast<std::size_t>(place.file)])) + ":" +
         std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string Diagnostics::place(std::uint32_t site) const {
  if (const ptx::SourceLocation* place = students_place(site)) return place_text(*place);
  if (site >= program_.sites.size()) return program_.function->name;
  return program_.function->name + " (PTX line " + std::to_string(program_.sites[site]->line) + ")";
}

std::string Diagnostics::thread_name(Dimensions cta, ThreadId thread) const {
  const Dimensions& block = request_.block;
  return "block " + dimensions_text(cta.x, cta.y, cta.z) + ", thread " +
         dimensions_text(thread.index % block.x, thread.index / block.x % block.y,
                         thread.index / block.x / block.y);
}

const SharedVariable* Diagnostics::shared_variable(std::uint32_t offset) const {
  const SharedVariable* found = nullptr;
  for (const SharedVariable& variable : program_.shared_variables) {
    const bool is_dynamic = variable.bytes == 0;  // it ends with shared memory
    if (offset >= variable.offset && (is_dynamic || offset < variable.offset + variable.bytes)) {
      found = &variable;
    }
  }
  return found;
}

std::string Diagnostics::shared_range(std::uint32_t offset, std::uint32_t bytes) const {
  const SharedVariable* variable = shared_variable(offset);
  const std::string name = variable == nullptr ? "shared memory" : variable->name;
  const std::uint32_t first = offset - (variable == nullptr ? 0 : variable->offset);
  if (bytes == 1) return name + "[byte " + std::to_string(first) + "]";
  return name + "[bytes " + std::to_string(first) + " to " + std::to_string(first + bytes - 1) +
         "]";
}

std::string Diagnostics::shared_place(std::uint32_t offset) const {
  const SharedVariable* variable = shared_variable(offset);
  if (variable == nullptr) return "shared address " + std::to_string(offset);
  if (offset == variable->offset) return variable->name;
  return variable->name + " + " + std::to_string(offset - variable->offset) + " bytes";
}

// The source line and a caret, with a remark behind it; the PTX line where there is no source.
std::string Diagnostics::excerpt(std::uint32_t site, const std::string& remark) const {
  std::string text;
  std::size_t column = 1;
  std::uint32_t number = 0;
  if (const ptx::SourceLocation* place = students_place(site)) {
    const std::string& file = program_.module->files[static_cast<std::size_t>(place->file)];
    if (const auto line = read_line(file, place->line)) {
      text = *line;
      number = place->line;
      column = std::max<std::size_t>(place->column, 1);
    }
  }
  if (number == 0 && site < program_.sites.size()) {
    number = static_cast<std::uint32_t>(program_.sites[site]->line);
    text = std::string(program_.module->line_text(static_cast<int>(number)));
    column = text.find_first_not_of(" \t") + 1;
  }
  char margin[16];
  std::snprintf(margin, sizeof margin, "%5u | ", number);
  std::string blank;  // keeps the tabs, so that the caret stands under its column
  for (std::size_t i = 0; i + 1 < column && i < text.size(); ++i)
    blank += text[i] == '\t' ? '\t' : ' ';
  return margin + text + "\n      | " + blank + "^" + (remark.empty() ? "" : " " + remark) + "\n";
}

std::string Diagnostics::inlining(std::uint32_t site) const {
  const ptx::SourceLocation* shown = students_place(site);
  const ptx::SourceLocation& innermost = program_.sites[site]->source;
  if (shown == nullptr || *shown == innermost) return "";
  return place_text(innermost) + ": note: in this function of the interface\n";
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
  if (program_.is_ordered || cluster == first_running_) {
    tell({finding, 1});
  } else {
    add(held_[cluster], finding);
  }
}

void Diagnostics::add(std::vector<Repeated>& list, const Finding& finding) {
  const auto same = std::ranges::find_if(list, [&](const Repeated& other) {
    return &other.finding.code() == &finding.code() && other.finding.site == finding.site;
  });
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
      for (const Repeated& repeated : held->second) tell(repeated);
      held_.erase(held);
    }
  } while (ended_.erase(first_running_) != 0);
}

void Diagnostics::tell(const Repeated& repeated) {
  const Finding& finding = repeated.finding;
  std::uint64_t& count = reported_[{finding.code().code, finding.site}];
  if (count == 0) {
    print(finding);
    ++findings_printed;
  }
  count += repeated.count;
}

// The sentence with the finding's values in it.
std::string Diagnostics::message(const Finding& finding) const {
  return filled(entry_of(finding.sentence).text, [&, next = std::size_t{0}](auto name) mutable {
    if (name == "rule") return finding.rule;
    return next < finding.values.size() ? finding.values[next++].text : std::string();
  });
}

std::string Diagnostics::remark(const Finding& finding) const {
  std::string text = thread_name(finding.cta, finding.thread);
  if (!finding.bytes) return text;
  text += finding.use == BytesUse::reads ? " reads " : " loads into ";
  return text + shared_range(finding.bytes->offset, finding.bytes->count);
}

std::string Diagnostics::note(const Note& note) const {
  return filled(entry_of(note.sentence).text, [&](auto name) {
    return name == "bytes" ? shared_range(note.bytes.offset, note.bytes.count)
                           : thread_name(note.cta, note.thread);
  });
}

std::string Diagnostics::waiters(const Waiters& waiters) const {
  return place(waiters.site) + ": " + counted(waiters.threads, "thread") + ", the first " +
         thread_name(waiters.cta, waiters.first) + ", waiting for " +
         std::visit([&](const auto& wait) { return words(wait); }, waiters.waited_for);
}

std::string Diagnostics::words(const MbarrierWait& wait) const {
  const std::string name = "the mbarrier " + shared_place(wait.offset);
  if (!wait.is_initialized) return name + ", which is not initialized";
  const auto parity = [](bool odd) { return std::string(odd ? "1" : "0"); };
  std::string text = "the phase of parity " + parity(wait.parity) + " of " + name +
                     ": it is in the phase of parity " + parity(wait.current_parity) + ", " +
                     counted(wait.arrivals_missing, "arrival") + " of " +
                     std::to_string(wait.arrivals_expected) + " missing";
  if (wait.bytes_missing > 0) {
    text += ", " + counted(wait.bytes_missing, "byte") + " expected and not arrived";
  } else if (wait.bytes_missing < 0) {
    text += ", " + counted(-wait.bytes_missing, "byte") + " more arrived than expected";
  }
  return text;
}

std::string Diagnostics::words(const CtaBarrierWait& wait) const {
  return "barrier " + std::to_string(wait.barrier) +
         " (__syncthreads() is 0): " + std::to_string(wait.arrived) + " of " +
         std::to_string(wait.expected) + " threads have arrived";
}

std::string Diagnostics::words(const ClusterBarrierWait&) const {
  return "the cluster barrier";
}

std::string Diagnostics::words(const WarpWait& wait) const {
  return "the other lanes of its warp (member mask " + common::hexadecimal(wait.members) +
         ") to execute the same instruction";
}

std::string Diagnostics::words(const PollWait&) const {
  return "what it polls for";
}

void Diagnostics::print(const Finding& finding) const {
  const SentenceEntry& said = entry_of(finding.sentence);
  std::string text = place(finding.site) + ": error: " + message(finding) + " [" +
                     std::string(finding.code().name) + "]\n";
  text += excerpt(finding.site, remark(finding)) + inlining(finding.site);
  for (const Note& other : finding.notes) {
    text += place(other.site) + ": note: " + note(other) + "\n" + excerpt(other.site, "");
  }
  for (const Waiters& waiting : finding.waiters) text += "  " + waiters(waiting) + "\n";
  if (!said.help.empty()) text += "help: " + std::string(said.help) + "\n";
  print_all(text);
}

void Diagnostics::fault(const Finding& finding) {
  const std::lock_guard lock(mutex_);
  print(finding);
}

void Diagnostics::finish() {
  for (const auto& [key, count] : reported_) {
    if (count == 1) continue;
    std::fprintf(stderr, "%s: note: [%s] was found %llu times in this launch\n",
                 place(key.second).c_str(), entry_of(key.first).name.data(),
                 static_cast<unsigned long long>(count));
  }
}

}  // namespace tmaemu

// For the runner, which finds it by its name: what is printed could be told apart from a program's
// own words no better than they let it.
extern "C" std::uint64_t tmaemu_findings() {
  return tmaemu::findings_printed;
}
