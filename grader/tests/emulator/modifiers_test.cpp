// Every modifier of PTX, added to an instruction of every row of the tables: where it does not
// belong the instruction is refused, and where it does the instruction is decoded.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "emulator/isa/tables.h"
#include "emulator/isa/unmodeled.h"
#include "emulator/isa/words.h"
#include "tests/emulator/decoded_kernel.h"
#include "tests/emulator/modifier_samples.h"
#include "tests/emulator/modifier_vocabulary.h"

namespace tmaemu::testing {
namespace {

std::vector<std::string> words(std::string_view list) {
  std::vector<std::string> all;
  for_each_word(list, [&](std::string_view word) { all.emplace_back(word); });
  return all;
}

// An instruction that the emulator takes, and the modifiers that may be added to it.
struct Sample {
  std::string mnemonic;
  std::string operands;
  std::set<std::string> also;

  std::string with(std::string_view modifier, std::size_t position) const {
    std::string text = mnemonic;
    return text.insert(position, "." + std::string(modifier)) + " " + operands;
  }
  // Where a modifier can stand: before each of the others, and at the end.
  std::vector<std::size_t> positions() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < mnemonic.size(); ++i) {
      if (mnemonic[i] == '.') all.push_back(i);
    }
    all.push_back(mnemonic.size());
    return all;
  }
};

std::set<std::string> expanded(std::string_view list) {
  std::set<std::string> all;
  for (const std::string& word : words(list)) {
    const std::string_view group =
        word == "+L1"   ? "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "
                          "L1::no_allocate"
        : word == "+L2" ? "L2::64B L2::128B L2::256B"
                        : std::string_view(word);
    for (std::string& name : words(group)) all.insert(std::move(name));
  }
  return all;
}

bool matches(std::string_view pattern, std::string_view name) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') return true;
    if (i >= name.size() || (pattern[i] != '?' && pattern[i] != name[i])) return false;
  }
  return pattern.size() == name.size();
}

// Registers of the sizes of a row that is a whole mnemonic.
std::string operands_of(const Definition& row) {
  std::string text;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const unsigned bytes = row.bytes[i];
    const char* kind = bytes == 0 ? "%p" : bytes == 2 ? "%h" : bytes == 4 ? "%r" : "%l";
    text += (i == 0 ? "" : ", ") + std::string(kind) + std::to_string(i + 1);
  }
  return text;
}

std::vector<Sample> whole_rows() {
  std::vector<Sample> all;
  for (const Table& table : instruction_tables()) {
    for (const Definition& row : table.rows) {
      if (row.handler == nullptr) continue;
      for (const std::string& name : words(row.names)) {
        Sample& sample = all.emplace_back(name, operands_of(row));
        for (const auto& [pattern, also] : whole_row_modifiers) {
          if (matches(pattern, name)) sample.also.merge(expanded(also));
        }
      }
    }
  }
  return all;
}

std::vector<Sample> other_rows() {
  std::vector<Sample> all;
  for (const auto& [mnemonic, operands, also] : modifier_samples) {
    all.emplace_back(std::string(mnemonic), std::string(operands), expanded(also));
  }
  return all;
}

bool is_whole_row(const std::string& mnemonic) {
  const auto row = find_row(mnemonic);
  return row && row->name == mnemonic && row->definition->handler != nullptr;
}

// Adds every modifier everywhere. One that belongs to the instruction is taken somewhere: rows
// that are whole mnemonics have a place for it.
void expect_strict(const Sample& sample) {
  SCOPED_TRACE(sample.mnemonic);
  const std::vector<std::size_t> positions = sample.positions();
  const std::vector<std::string> vocabulary = words(modifier_vocabulary);
  std::vector<std::string> instructions{sample.mnemonic + " " + sample.operands};
  for (const std::string& modifier : vocabulary) {
    for (const std::size_t position : positions) {
      instructions.push_back(sample.with(modifier, position));
    }
  }
  const std::vector<std::string> reasons = refusals(instructions);
  EXPECT_EQ(reasons.front(), "");
  auto reason = reasons.begin() + 1;
  for (const std::string& modifier : vocabulary) {
    bool belongs = sample.also.contains(modifier);
    bool is_taken = false;
    for (const std::size_t position : positions) {
      const std::string instruction = sample.with(modifier, position);
      belongs = belongs || is_whole_row(instruction.substr(0, instruction.find(' ')));
      is_taken = is_taken || reason->empty();
      ++reason;
    }
    EXPECT_EQ(is_taken, belongs) << "." << modifier;
  }
}

TEST(EveryModifier, IsRefusedWhereAWholeMnemonicHasItNot) {
  for (const Sample& sample : whole_rows()) expect_strict(sample);
}

TEST(EveryModifier, IsRefusedWhereNobodyTakesIt) {
  for (const Sample& sample : other_rows()) expect_strict(sample);
}

TEST(EveryModifier, IsAddedToASampleOfEveryRow) {
  std::set<std::string_view> sampled;
  for (const ModifierSample& sample : modifier_samples) {
    const auto row = find_row(sample.mnemonic);
    ASSERT_TRUE(row) << sample.mnemonic;
    sampled.insert(row->name);
  }
  for (const Table& table : instruction_tables()) {
    for (const Definition& row : table.rows) {
      if (row.handler != nullptr) continue;
      for_each_word(row.names, [&](std::string_view name) {
        EXPECT_TRUE(sampled.contains(name)) << name << " has no sample in modifier_samples.h";
      });
    }
  }
}

TEST(EveryModifier, IsRefusedByItsName) {
  const std::vector<std::string> reasons =
      refusals({"fence.proxy.async.no_such_modifier", "popc.no_such_modifier.b32 %r1, %r2"});
  for (const std::string& reason : reasons) {
    EXPECT_NE(reason.find("has the modifier .no_such_modifier, which is not modeled"),
              std::string::npos)
        << reason;
  }
}

TEST(UnmodeledInstructions, AreInNoTable) {
  for (const Unmodeled& entry : unmodeled_instructions()) {
    for_each_word(entry.names, [](std::string_view name) { EXPECT_FALSE(find_row(name)) << name; });
  }
}

}  // namespace
}  // namespace tmaemu::testing
