// tmaemu-instructions: handout/reference/instructions.md, the PTX instructions that the emulator
// executes, from the tables that it executes them by, and those that it refuses by name.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "emulator/isa/matrix/forms.h"
#include "emulator/isa/tables.h"
#include "emulator/isa/unmodeled.h"
#include "emulator/isa/words.h"

namespace {

using namespace tmaemu;

// An instruction's forms by its first word: "add" to ".u32", ".s32".
using Forms = std::map<std::string, std::vector<std::string>>;

void add_names(const Definition& definition, Forms& forms) {
  for_each_word(definition.names, [&](std::string_view word) {
    const std::string name(word);
    const bool is_whole = definition.handler != nullptr;
    const std::size_t dot = is_whole ? std::min(name.find('.'), name.size()) : name.size();
    auto& listed = forms[name.substr(0, dot)];
    listed.push_back(dot < name.size() ? name.substr(dot) : "");
  });
}

std::string text_of(const std::vector<std::string>& forms) {
  std::string text;
  for (const std::string& form : forms) {
    if (!form.empty()) text += (text.empty() ? "`" : " `") + form + "`";
  }
  return text.empty() ? "modifiers are looked at one by one" : text;
}

void print_tables() {
  const auto tables = instruction_tables();
  for (auto table = tables.begin(); table != tables.end();) {
    const std::string title(table->title);
    Forms forms;
    for (; table != tables.end() && table->title == title; ++table) {
      for (const Definition& definition : table->rows) add_names(definition, forms);
    }
    std::printf("\n## %s\n\n| instruction | forms |\n|---|---|\n", title.c_str());
    for (const auto& [name, listed] : forms) {
      std::printf("| `%s` | %s |\n", name.c_str(), text_of(listed).c_str());
    }
  }
}

// "f16 f32" as "`f16` `f32`".
std::string each_as_code(std::string_view list) {
  std::string text;
  for_each_word(list, [&](std::string_view word) {
    text += (text.empty() ? "`" : " `") + std::string(word) + "`";
  });
  return text;
}

void print_matrix_forms() {
  std::puts(
      "\n## Types and shapes of matrices\n\n"
      "Of A and B any two of a line go together in `mma`, and in `wmma` two that are the same. C "
      "and D have one type, but\n"
      "for `f16` in `wmma`, where either may be `f32`.\n\n"
      "| instruction | A and B | C and D | shapes |\n|---|---|---|---|");
  for (const MatrixInstruction& instruction : matrix_instructions()) {
    for (const MatrixForms& forms : instruction.forms) {
      std::printf("| `%s` | %s | %s | %s |\n", std::string(instruction.name).c_str(),
                  each_as_code(forms.factors).c_str(), each_as_code(forms.accumulators).c_str(),
                  each_as_code(forms.shapes).c_str());
    }
  }
}

void print_unmodeled() {
  for (const Unmodeled& entry : unmodeled_instructions()) {
    std::printf("| %s | %s | %s |\n", std::string(entry.chapter).c_str(),
                each_as_code(entry.names).c_str(), std::string(entry.reason).c_str());
  }
}

}  // namespace

int main() {
  std::puts(
      "# Instructions\n\n"
      "**What the emulator executes of PTX, and what it refuses by name.**\n\n"
      "This page is written from the emulator's own tables. Where no forms are listed, "
      "the instruction's\n"
      "modifiers are looked at one by one, and one that is not known is refused. A refused "
      "instruction stops the program when it\n"
      "is reached, with its name, its PTX line and your source line "
      "([not-modeled](../emulator.md#faults)); code that never runs\n"
      "does no harm.");
  print_tables();
  print_matrix_forms();
  std::puts(
      "\n## Refused\n\n"
      "Beside these, forms of covered instructions: byte masks of bulk copies (`.cp_mask`), the "
      "modes `.im2col::w`,\n"
      "`.im2col::w::128`, `.tile::gather4` and `.tile::scatter4` of tensor copies, indirect "
      "calls of kernels,\nand `mma.m8n8k4` of `f16`.\n\n"
      "| section | instructions | why |\n|---|---|---|");
  print_unmodeled();
}
