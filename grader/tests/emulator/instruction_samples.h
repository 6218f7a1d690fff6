// Instructions of every row of the tables, as the tests write them into kernels.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/isa/tables.h"
#include "emulator/isa/words.h"
#include "tests/emulator/modifier_samples.h"

namespace tmaemu::testing {

inline std::vector<std::string> words(std::string_view list) {
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

inline std::set<std::string> expanded(std::string_view list) {
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

inline bool matches(std::string_view pattern, std::string_view name) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') return true;
    if (i >= name.size() || (pattern[i] != '?' && pattern[i] != name[i])) return false;
  }
  return pattern.size() == name.size();
}

// Registers of the sizes of a row that is a whole mnemonic.
inline std::string operands_of(const Definition& row) {
  std::string text;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const unsigned bytes = row.bytes[i];
    const char* kind = bytes == 0 ? "%p" : bytes == 2 ? "%h" : bytes == 4 ? "%r" : "%l";
    text += (i == 0 ? "" : ", ") + std::string(kind) + std::to_string(i + 1);
  }
  return text;
}

inline std::vector<Sample> whole_rows() {
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

inline std::vector<Sample> other_rows() {
  std::vector<Sample> all;
  for (const auto& [mnemonic, operands, also] : modifier_samples) {
    all.emplace_back(std::string(mnemonic), std::string(operands), expanded(also));
  }
  return all;
}

}  // namespace tmaemu::testing
