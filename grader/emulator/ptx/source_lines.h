// The debugging directives that tell where instructions come from: .file, .loc and the sections of
// DWARF data (PTX ISA, "Debugging Directives").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

class SourceLines {
 public:
  explicit SourceLines(Module& module) : module_(module) {}

  // Each is called where its directive has just been consumed.
  void parse_file(TokenStream& tokens);
  void parse_section(TokenStream& tokens);
  SourceLocation parse_loc(TokenStream& tokens);

  // Forgets the locations of the function before: inlined_at never looks back past its own.
  void start_function() { inlined_at_of_.clear(); }

  // After the whole text: .file and .debug_str follow the code that refers to them.
  void finish();

 private:
  using Place = std::tuple<std::int32_t, std::uint32_t, std::uint32_t>;  // file, line, column
  static Place place_of(const SourceLocation& at) { return {at.file, at.line, at.column}; }

  struct FunctionName {
    std::string_view label;
    std::uint64_t offset = 0;
    bool operator<(const FunctionName& other) const {
      return std::tie(label, offset) < std::tie(other.label, other.offset);
    }
  };

  SourceLocation parse_place(TokenStream& tokens);
  FunctionName parse_function_name(TokenStream& tokens);
  void parse_section_line(TokenStream& tokens, bool is_strings);
  std::string name_in_strings(const FunctionName& name) const;

  Module& module_;
  std::unordered_map<std::uint64_t, std::int32_t> file_of_number_;
  std::vector<int> first_mention_;  // line where a file is first used; 0 once .file named it
  std::vector<std::uint64_t> number_of_file_;
  // Within a function: what was inlined at a place that a .loc gave.
  std::map<Place, std::int32_t> inlined_at_of_;
  std::map<std::tuple<Place, std::int32_t, FunctionName>, std::int32_t> site_of_;
  std::vector<FunctionName> site_names_;  // beside Module::inline_sites
  std::string strings_;                   // the contents of .debug_str
  std::unordered_map<std::string_view, std::size_t> string_labels_;

  std::int32_t file_index(std::uint64_t number, int line);
};

}  // namespace tmaemu::ptx
