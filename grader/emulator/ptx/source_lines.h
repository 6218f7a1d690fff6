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

#include "emulator/ptx/inline_chains.h"
#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

class SourceLines {
 public:
  explicit SourceLines(Module& module) : module_(module) {}

  // Each is called where its directive has just been consumed.
  void parse_file(TokenStream& tokens);
  void parse_section(TokenStream& tokens);
  void parse_loc(TokenStream& tokens, std::size_t next_instruction);

  // After a function: gives its instructions their locations.
  void finish_function(Function& function);

  // After the whole text: .file and .debug_str follow the code that refers to them.
  void finish();

 private:
  struct FunctionName {
    std::string_view label;
    std::uint64_t offset = 0;
    bool operator<(const FunctionName& other) const {
      return std::tie(label, offset) < std::tie(other.label, other.offset);
    }
  };

  SourceLocation parse_place(TokenStream& tokens);
  void give_lines_nearby(Function& function) const;
  SourceLocation call_of(const SourceLocation& place) const;
  SourceLocation line_nearby(const SourceLocation& place, const SourceLocation& neighbor) const;
  FunctionName parse_function_name(TokenStream& tokens);
  std::int32_t site_of(const SourceLocation& call, std::size_t function,
                       const std::vector<std::int32_t>& alternatives);
  void parse_section_line(TokenStream& tokens, bool is_strings);
  std::string name_in_strings(const FunctionName& name) const;

  Module& module_;
  std::unordered_map<std::uint64_t, std::int32_t> file_of_number_;
  std::vector<int> first_mention_;  // line where a file is first used; 0 once .file named it
  std::vector<std::uint64_t> number_of_file_;
  std::vector<LineDirective> directives_;  // of the function that is being read
  std::map<FunctionName, std::size_t> number_of_name_;
  std::vector<FunctionName> names_;
  using SiteKey = std::tuple<std::int32_t, std::uint32_t, std::uint32_t, std::int32_t, std::size_t,
                             std::vector<std::int32_t>>;
  std::map<SiteKey, std::int32_t> site_of_;
  std::vector<std::size_t> site_names_;  // beside Module::inline_sites
  std::string strings_;                  // the contents of .debug_str
  std::unordered_map<std::string_view, std::size_t> string_labels_;

  std::int32_t file_index(std::uint64_t number, int line);
};

}  // namespace tmaemu::ptx
