#include "emulator/ptx/scopes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "emulator/ptx/numbered_name.h"

namespace tmaemu::ptx {
namespace {

[[noreturn]] void fail_declared_twice(const Token& name) {
  throw SyntaxError{name.line,
                    "\"" + std::string(name.text) + "\" is declared a second time in this scope"};
}

}  // namespace

std::string_view Scopes::intern(std::string text) {
  if (const auto found = interned_.find(text); found != interned_.end()) return *found;
  module_.names.push_back(std::make_unique<std::string>(std::move(text)));
  return *interned_.insert(*module_.names.back()).first;
}

// An apostrophe cannot stand in a PTX name, so the new name meets no other. In a range's stem a
// second one keeps the number of the scope and the number of the register apart.
std::string_view Scopes::renamed(std::string_view name, bool is_range) {
  has_renamed_percent_name_ |= name.starts_with('%');
  std::string text = std::string(name) + '\'' + std::to_string(++renames_);
  if (is_range) text += '\'';
  return intern(std::move(text));
}

// Whether a single register or variable has the name of a register that a range declared.
bool Scopes::meets_other_registers(std::string_view name) const {
  const auto numbered = split_number(name);
  if (!numbered) return false;
  const auto range = used_ranges_.find(numbered->stem);
  return range != used_ranges_.end() && numbered->index < range->second;
}

std::string_view Scopes::declare_name(const Token& name, bool is_register) {
  Scope& scope = scopes_.back();
  const auto [entry, is_new] = scope.names.try_emplace(name.text);
  if (!is_new) fail_declared_twice(name);
  const bool is_used = meets_other_registers(name.text) || !used_names_.insert(name.text).second;
  entry->second = {is_register, is_used ? renamed(name.text, false) : name.text};
  if (const auto numbered = split_number(name.text); numbered && !is_used) {
    const auto [smallest, first] = used_indices_.try_emplace(numbered->stem, numbered->index);
    if (!first) smallest->second = std::min(smallest->second, numbered->index);
  }
  return entry->second.name;
}

std::string_view Scopes::declare_variable(const Token& name) {
  return declare_name(name, false);
}

std::string_view Scopes::declare_register(const Token& name, std::uint64_t count) {
  if (count == 0) return declare_name(name, true);
  const auto [entry, is_new] = scopes_.back().ranges.try_emplace(name.text);
  if (!is_new) fail_declared_twice(name);
  const auto single = used_indices_.find(name.text);
  const bool meets_single = single != used_indices_.end() && single->second < count;
  const auto [largest, is_unused] = used_ranges_.try_emplace(name.text, count);
  if (!is_unused) largest->second = std::max(largest->second, count);
  entry->second = {is_unused && !meets_single ? name.text : renamed(name.text, true), count};
  return entry->second.stem;
}

std::string_view Scopes::declare_label(const Token& name) {
  const auto [entry, is_new] = scopes_.back().labels.try_emplace(name.text, name.text);
  if (!is_new) fail_declared_twice(name);
  if (!used_labels_.insert(name.text).second) entry->second = renamed(name.text, false);
  return entry->second;
}

std::optional<Scopes::Resolved> Scopes::find_in(const Scope& scope, std::string_view base) {
  if (const auto found = scope.names.find(base); found != scope.names.end()) {
    return Resolved{found->second.is_register, found->second.name};
  }
  if (scope.ranges.empty()) return std::nullopt;
  const auto numbered = split_number(base);
  if (!numbered) return std::nullopt;
  const auto range = scope.ranges.find(numbered->stem);
  if (range == scope.ranges.end() || numbered->index >= range->second.count) return std::nullopt;
  if (range->second.stem == numbered->stem) return Resolved{true, base};
  std::string name = std::string(range->second.stem) + std::to_string(numbered->index);
  return Resolved{true, intern(std::move(name))};
}

Scopes::Resolved Scopes::resolve(std::string_view name) {
  const bool has_percent = name.starts_with('%');
  if (has_percent && !has_renamed_percent_name_) return {true, name};
  // The element of a vector register is named by a suffix: %v.x.
  const std::size_t dot = name.find('.');
  const std::string_view base = name.substr(0, dot);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    std::optional<Resolved> found = find_in(*scope, base);
    if (!found) continue;
    if (dot == std::string_view::npos) return *found;
    if (found->name == base) return {found->is_register, name};
    std::string element = std::string(found->name) + std::string(name.substr(dot));
    return {found->is_register, intern(std::move(element))};
  }
  return {has_percent, name};
}

std::string_view& Scopes::target_of(const Reference& reference) {
  if (reference.is_branch_target) {
    return function_.branch_targets[reference.index].labels[reference.position];
  }
  return function_.body[reference.index].operands[reference.position].name;
}

void Scopes::close() {
  const Scope closed = std::move(scopes_.back());
  scopes_.pop_back();
  for (const Reference& reference : closed.references) {
    const auto label = closed.labels.find(reference.name);
    if (label != closed.labels.end()) {
      target_of(reference) = label->second;
    } else if (!scopes_.empty()) {
      scopes_.back().references.push_back(reference);
    }
  }
}

}  // namespace tmaemu::ptx
