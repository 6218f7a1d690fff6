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
#include "tests/emulator/instruction_samples.h"
#include "tests/emulator/modifier_samples.h"
#include "tests/emulator/modifier_vocabulary.h"

namespace tmaemu::testing {
namespace {

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

TEST(UnmodeledInstructions, AreWhatNoRowBeginsWith) {
  for (const Table& table : instruction_tables()) {
    for (const Definition& row : table.rows) {
      for_each_word(row.names, [](std::string_view name) {
        EXPECT_EQ(find_unmodeled(name), nullptr)
            << name << " is defined: take it from the list in isa/unmodeled.cpp";
      });
    }
  }
}

}  // namespace
}  // namespace tmaemu::testing
