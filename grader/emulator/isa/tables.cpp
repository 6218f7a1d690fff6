#include "emulator/isa/tables.h"

#include <string>
#include <unordered_map>

#include "emulator/isa/unmodeled.h"
#include "emulator/isa/words.h"

namespace tmaemu {

// Each is the table of a file, and entered in the registry below.
std::span<const Definition> integer_definitions();
std::span<const Definition> carry_definitions();
std::span<const Definition> small_integer_definitions();
std::span<const Definition> video_definitions();
std::span<const Definition> scalar_video_definitions();
std::span<const Definition> bit_definitions();
std::span<const Definition> floating_definitions();
std::span<const Definition> sign_definitions();
std::span<const Definition> approximate_definitions();
std::span<const Definition> comparison_definitions();
std::span<const Definition> conversion_definitions();
std::span<const Definition> movement_definitions();
std::span<const Definition> memory_definitions();
std::span<const Definition> cache_definitions();
std::span<const Definition> atomic_definitions();
std::span<const Definition> control_definitions();
std::span<const Definition> call_definitions();
std::span<const Definition> mbarrier_definitions();
std::span<const Definition> barrier_definitions();
std::span<const Definition> fence_definitions();
std::span<const Definition> async_copy_definitions();
std::span<const Definition> async_store_definitions();
std::span<const Definition> bulk_copy_definitions();
std::span<const Definition> tensor_copy_definitions();
std::span<const Definition> tensor_map_definitions();
std::span<const Definition> matrix_definitions();
std::span<const Definition> warpgroup_definitions();
std::span<const Definition> register_count_definitions();
std::span<const Definition> mma_definitions();
std::span<const Definition> wmma_definitions();
std::span<const Definition> warp_definitions();
std::span<const Definition> cluster_definitions();
// These are in the files of control flow and calls.
Handler return_handler(const ptx::Function& function);
Handler refusal_handler();

std::span<const Table> instruction_tables() {
  static const Table tables[] = {
      {"Integer arithmetic", integer_definitions()},
      {"Extended-precision integer arithmetic", carry_definitions()},
      {"Integer arithmetic of 8, 16 and packed bits", small_integer_definitions()},
      {"Logic, shifts and bit fields", bit_definitions()},
      {"Floating point", floating_definitions()},
      {"Floating point", sign_definitions()},
      {"Floating point", approximate_definitions()},
      {"Comparison and selection", comparison_definitions()},
      {"Conversion", conversion_definitions()},
      {"Data movement: registers and addresses", movement_definitions()},
      {"Data movement: loads, stores, cache hints", memory_definitions()},
      {"Data movement: loads, stores, cache hints", cache_definitions()},
      {"Atomic operations and reductions", atomic_definitions()},
      {"Control flow and miscellaneous", control_definitions()},
      {"Calls and the stack", call_definitions()},
      {"Video: halves and bytes", video_definitions()},
      {"Video: scalars", scalar_video_definitions()},
      {"mbarrier", mbarrier_definitions()},
      {"Barriers and fences", barrier_definitions()},
      {"Barriers and fences", fence_definitions()},
      {"Non-bulk asynchronous copies", async_copy_definitions()},
      {"Asynchronous stores and reductions", async_store_definitions()},
      {"Bulk copies and bulk async-groups", bulk_copy_definitions()},
      {"Tensor copies", tensor_copy_definitions()},
      {"Tensor maps", tensor_map_definitions()},
      {"Matrix loads, stores and transposition", matrix_definitions()},
      {"Warpgroup-level matrix multiplication", warpgroup_definitions()},
      {"Warpgroup-level matrix multiplication", register_count_definitions()},
      {"Matrix multiplication", mma_definitions()},
      {"Matrix multiplication", wmma_definitions()},
      {"Warps: votes, shuffles, matches", warp_definitions()},
      {"Clusters", cluster_definitions()},
  };
  return tables;
}

namespace {

using Index = std::unordered_map<std::string_view, const Definition*>;

Index build_index() {
  Index index;
  for (const Table& table : instruction_tables()) {
    for (const Definition& definition : table.rows) {
      for_each_word(definition.names,
                    [&](std::string_view name) { index.emplace(name, &definition); });
    }
  }
  return index;
}

// The modifier without which the mnemonic would be a row; empty where there is no such.
std::string_view modifier_too_many(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : std::span(instruction.parts).subspan(1)) {
    std::string without(instruction.mnemonic);
    const auto begin = static_cast<std::size_t>(modifier.data() - instruction.mnemonic.data());
    without.erase(begin - 1, modifier.size() + 1);
    if (find_row(without)) return modifier;
  }
  return {};
}

}  // namespace

std::optional<InstructionRow> find_row(std::string_view mnemonic) {
  static const Index index = build_index();
  for (std::string_view name = mnemonic;;) {
    const auto found = index.find(name);
    // Where a row has a handler of its own, its name is a whole mnemonic.
    if (found != index.end() &&
        (name.size() == mnemonic.size() || found->second->handler == nullptr)) {
      return InstructionRow{found->second, found->first};
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    name = name.substr(0, dot);
  }
}

namespace {

InstructionRow row_of(const ptx::Instruction& instruction) {
  if (const auto row = find_row(instruction.mnemonic)) return *row;
  if (const Unmodeled* unmodeled = find_unmodeled(instruction.mnemonic)) {
    refuse("is not modeled by the emulator: " + std::string(unmodeled->reason));
  }
  if (const std::string_view modifier = modifier_too_many(instruction); !modifier.empty()) {
    refuse("has the modifier ." + std::string(modifier) + ", which is not modeled here");
  }
  refuse_as_ptxas("is not modeled by the emulator");
}

}  // namespace

const InstructionSet& instruction_set() {
  static const InstructionSet instructions{row_of, return_handler, refusal_handler()};
  return instructions;
}

}  // namespace tmaemu
