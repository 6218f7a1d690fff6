// tmaemu-instructions: handout/reference/instructions.md, the PTX instructions that the emulator
// executes, from the tables that it executes them by, and those that it refuses by name.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "emulator/isa/definition.h"

namespace {

using tmaemu::Definition;

// A file of isa/ under the section of the manual that it follows.
struct Section {
  const char* title;
  std::span<const Definition> definitions;
};

std::vector<Section> sections() {
  using namespace tmaemu;
  return {
      {"Integer arithmetic", integer_definitions()},
      {"Extended-precision integer arithmetic", carry_definitions()},
      {"Integer arithmetic of 8, 16 and packed bits", small_integer_definitions()},
      {"Logic, shifts and bit fields", bit_definitions()},
      {"Floating point", floating_definitions()},
      {"Comparison and selection", comparison_definitions()},
      {"Conversion", conversion_definitions()},
      {"Data movement: registers and addresses", movement_definitions()},
      {"Data movement: loads, stores, cache hints", memory_definitions()},
      {"Atomic operations and reductions", atomic_definitions()},
      {"Control flow and miscellaneous", control_definitions()},
      {"Calls and the stack", call_definitions()},
      {"mbarrier", mbarrier_definitions()},
      {"Barriers and fences", synchronisation_definitions()},
      {"Non-bulk asynchronous copies", async_copy_definitions()},
      {"Asynchronous stores and reductions", async_store_definitions()},
      {"Bulk copies and bulk async-groups", bulk_copy_definitions()},
      {"Tensor copies", tensor_copy_definitions()},
      {"Tensor maps", tensor_map_definitions()},
      {"Matrix loads, stores and transposition", matrix_definitions()},
      {"Warps: votes, shuffles, matches", warp_definitions()},
      {"Clusters", cluster_definitions()},
  };
}

// What the manual has and the emulator has not; `names` are mnemonics or their beginnings.
struct Refusal {
  const char* section;
  const char* reason;
  std::vector<const char*> names;
};

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> list = {
      {"Textures and surfaces",
       "needs texture objects, which no lab uses",
       {"tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq"}},
      {"Warp-level matrix multiplication",
       "tensor cores are out of the course's scope",
       {"wmma.load", "wmma.store", "wmma.mma", "mma.sync", "mma.sp"}},
      {"Warpgroup-level matrix multiplication",
       "tensor cores are out of the course's scope",
       {"wgmma.mma_async", "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group"}},
      {"Tensor memory (fifth-generation tensor cores)",
       "exists on no sm_90 device",
       {"tcgen05.alloc", "tcgen05.dealloc", "tcgen05.ld", "tcgen05.st", "tcgen05.cp",
        "tcgen05.shift", "tcgen05.mma", "tcgen05.commit", "tcgen05.wait", "tcgen05.fence"}},
      {"Video",
       "emulated in software on sm_90, and emitted for no CUDA C++ program",
       {"vadd",  "vsub",  "vabsdiff",  "vmin",      "vmax",  "vshl",  "vshr",  "vmad",
        "vset",  "vadd2", "vsub2",     "vabsdiff2", "vmin2", "vmax2", "vset2", "vavrg2",
        "vadd4", "vsub4", "vabsdiff4", "vmin4",     "vmax4", "vset4", "vavrg4"}},
      {"Multimem",
       "needs multicast objects over several devices",
       {"multimem.ld_reduce", "multimem.st", "multimem.red", "multimem.cp.async.bulk",
        "multimem.cp.reduce.async.bulk"}},
      {"Cluster launch control",
       "exists on no sm_90 device",
       {"clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel"}},
  };
  return list;
}

bool is_covered(const std::string& mnemonic) {
  tmaemu::ptx::Instruction instruction;
  instruction.mnemonic = mnemonic;
  return tmaemu::find_definition(instruction) != nullptr;
}

// An instruction's forms by its first word: "add" to ".u32", ".s32".
using Forms = std::map<std::string, std::vector<std::string>>;

void add_names(const Definition& definition, Forms& forms) {
  for (std::string_view rest = definition.names; !rest.empty();) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string name(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
    if (name.empty()) continue;
    const bool is_whole = definition.handler != nullptr;
    const std::size_t dot = is_whole ? std::min(name.find('.'), name.size()) : name.size();
    auto& listed = forms[name.substr(0, dot)];
    listed.push_back(dot < name.size() ? name.substr(dot) : "");
  }
}

std::string text_of(const std::vector<std::string>& forms) {
  std::string text;
  for (const std::string& form : forms) {
    if (!form.empty()) text += (text.empty() ? "`" : " `") + form + "`";
  }
  return text.empty() ? "modifiers are looked at one by one" : text;
}

bool lists_every_table(const std::vector<Section>& listed) {
  return std::ranges::all_of(tmaemu::all_definitions(), [&](const auto& table) {
    return std::ranges::any_of(
        listed, [&](const Section& section) { return section.definitions.data() == table.data(); });
  });
}

}  // namespace

int main() {
  const std::vector<Section> all = sections();
  if (!lists_every_table(all)) {
    std::fprintf(stderr, "tmaemu-instructions: a table of isa/ has no section here\n");
    return 1;
  }
  std::puts(
      "# Instructions\n\n"
      "**What the emulator executes of PTX, and what it refuses by name.**\n\n"
      "`make instructions` writes this page from the emulator's own tables. Where no forms are "
      "listed, "
      "the instruction's\n"
      "modifiers are looked at one by one, and one that is not known is refused. A refused "
      "instruction stops the program when it\n"
      "is reached, with its name, its PTX line and your source line "
      "([not-modeled](../emulator.md#faults)); code that never runs\n"
      "does no harm.");
  for (const Section& section : all) {
    std::printf("\n## %s\n\n| instruction | forms |\n|---|---|\n", section.title);
    Forms forms;
    for (const Definition& definition : section.definitions) add_names(definition, forms);
    for (const auto& [name, listed] : forms) {
      std::printf("| `%s` | %s |\n", name.c_str(), text_of(listed).c_str());
    }
  }
  std::puts(
      "\n## Refused\n\n"
      "Beside these, forms of covered instructions: byte masks of bulk copies (`.cp_mask`), the "
      "modes `.im2col::w`,\n"
      "`.im2col::w::128`, `.tile::gather4` and `.tile::scatter4` of tensor copies, and indirect "
      "calls of kernels.\n\n"
      "| section | instructions | why |\n|---|---|---|");
  for (const Refusal& refusal : refusals()) {
    std::string names;
    for (const char* name : refusal.names) {
      if (!is_covered(name)) names += (names.empty() ? "`" : " `") + std::string(name) + "`";
    }
    if (!names.empty()) {
      std::printf("| %s | %s | %s |\n", refusal.section, names.c_str(), refusal.reason);
    }
  }
}
