#include "emulator/check/site_facts.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "emulator/check/bit_fields.h"
#include "emulator/check/control_flow.h"
#include "emulator/check/dataflow.h"
#include "emulator/diagnostics/places.h"

namespace tmaemu::check {
namespace {

bool is_question(const ptx::Instruction& instruction) {
  return instruction.parts.size() > 1 && instruction.parts[0] == "mbarrier" &&
         (instruction.parts[1] == "try_wait" || instruction.parts[1] == "test_wait");
}

// Lanes of a warp wait there for each other.
bool is_meeting(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.parts.front();
  if (opcode == "bar") return instruction.parts.size() > 1 && instruction.parts[1] == "warp";
  return opcode == "shfl" || opcode == "vote" || opcode == "match" || opcode == "redux";
}

bool is_non_coherent(const ptx::Instruction& instruction) {
  return instruction.parts.front() == "ld" && std::ranges::count(instruction.parts, "nc") != 0;
}

bool is_strong_load(const ptx::Instruction& instruction) {
  if (instruction.parts.front() != "ld") return false;
  return std::ranges::any_of(instruction.parts, [](std::string_view part) {
    return part == "acquire" || part == "relaxed" || part == "volatile";
  });
}

// The operand that says where in shared memory the instruction reads or writes data; null where it
// has none, or several.
const ptx::Operand* shared_operand(const ptx::Instruction& instruction) {
  const auto has = [&](std::string_view part) {
    return std::ranges::find(instruction.parts, part) != instruction.parts.end();
  };
  const std::string_view opcode = instruction.parts.front();
  const auto& operands = instruction.operands;
  std::size_t index = 0;
  if (opcode == "ld" || opcode == "atom" || opcode == "ldmatrix") {
    index = 1;
  } else if (opcode == "st" || opcode == "red") {
    index = 0;
  } else if (opcode == "cp" && has("bulk") && !has("prefetch")) {
    const auto target = std::ranges::find(instruction.parts, "global");
    const bool stores = std::find_if(target, instruction.parts.end(), [](std::string_view part) {
                          return part.starts_with("shared");
                        }) != instruction.parts.end();
    index = stores ? 1 : 0;
  } else {
    return nullptr;
  }
  return index < operands.size() ? &operands[index] : nullptr;
}

}  // namespace

SiteFacts::SiteFacts(const Program& program)
    : variables_(program.sites.size()),
      stores_behind_(program.sites.size(), nowhere),
      is_store_behind_(program.sites.size()),
      always_used_(program.sites.size()),
      vain_questions_(program.sites.size()),
      answered_(program.sites.size()),
      read_only_loads_(program.sites.size()),
      put_back_(program.sites.size()) {
  const LaunchRequest no_request;
  const Places places(program, no_request);
  std::map<Places::Line, std::uint32_t> numbers;
  for (std::uint32_t site = 0; site < program.sites.size(); ++site) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    lines_.push_back(numbers.emplace(places.line(site), number).first->second);
  }
  std::unordered_map<std::string_view, const SharedVariable*> by_symbol;
  for (const SharedVariable& variable : program.shared_variables) {
    if (variable.bytes != 0) by_symbol.emplace(variable.symbol, &variable);
  }
  Sites site_of;
  for (std::uint32_t site = 0; site < program.sites.size(); ++site) {
    site_of.emplace(program.sites[site], site);
  }
  for (const DecodedFunction& decoded : program.functions) {
    if (decoded.function == nullptr) continue;
    look_at_meetings(*decoded.function, site_of);
    const Dataflow flow(*decoded.function);
    const BitFields bit_fields(*decoded.function);
    for (const ptx::Instruction& instruction : decoded.function->body) {
      const auto site = site_of.find(&instruction);
      if (site == site_of.end()) continue;
      read_only_loads_[site->second] = is_non_coherent(instruction);
      put_back_[site->second] = bit_fields.is_only_put_back(instruction);
      if (!instruction.operands.empty() &&
          instruction.operands.front().kind == ptx::Operand::Kind::reg) {
        const bool is_used = flow.is_used(instruction.operands.front().name);
        if (is_question(instruction) || is_strong_load(instruction))
          vain_questions_[site->second] = !is_used;
        if (instruction.parts.front() == "atom") answered_[site->second] = is_used;
      }
      const ptx::Operand* const operand = shared_operand(instruction);
      if (operand == nullptr) continue;
      const auto variable = by_symbol.find(flow.variable_of(*operand));
      if (variable != by_symbol.end()) variables_[site->second] = variable->second;
    }
  }
}

void SiteFacts::look_at_meetings(const ptx::Function& function, const Sites& site_of) {
  constexpr std::size_t most = 64;  // each of them costs a walk through the function
  std::vector<std::size_t> meetings;
  for (std::size_t i = 0; i < function.body.size() && meetings.size() < most; ++i) {
    if (is_meeting(function.body[i])) meetings.push_back(i);
  }
  if (meetings.empty()) return;
  const ControlFlow flow(function);
  for (const std::size_t meeting : meetings) {
    const auto site = site_of.find(&function.body[meeting]);
    if (site == site_of.end()) continue;
    if (function.body[meeting].parts.front() == "shfl") {
      always_used_[site->second] = Dataflow::always_matters(
          function, meeting,
          [&](std::size_t instruction) { return flow.is_always_behind(meeting, instruction); });
    }
    const auto store = flow.store_behind(meeting);
    if (!store) continue;
    const auto behind = site_of.find(&function.body[*store]);
    if (behind == site_of.end()) continue;
    stores_behind_[site->second] = behind->second;
    is_store_behind_[behind->second] = true;
  }
}

bool may_come_to(const Program& program, std::uint32_t from, std::uint32_t to) {
  for (const DecodedFunction& decoded : program.functions) {
    if (decoded.function == nullptr) continue;
    const auto& body = decoded.function->body;
    const auto index_of = [&](std::uint32_t site) {
      const auto found = std::ranges::find_if(
          body, [&](const ptx::Instruction& each) { return &each == program.sites[site]; });
      return static_cast<std::size_t>(found - body.begin());
    };
    const std::size_t begin = index_of(from);
    const std::size_t end = index_of(to);
    if (begin == body.size() && end == body.size()) continue;
    return begin == body.size() || end == body.size() ||
           ControlFlow(*decoded.function).leads(begin, end);
  }
  return true;
}

std::shared_ptr<const SiteFacts> SiteFacts::of(const Program& program) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (program.facts == nullptr) program.facts = std::make_shared<const SiteFacts>(program);
  return std::static_pointer_cast<const SiteFacts>(program.facts);
}

}  // namespace tmaemu::check
