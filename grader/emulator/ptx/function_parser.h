// One .entry or .func: its header, its directives and its body.
#pragma once

#include <cstddef>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"
#include "emulator/ptx/scopes.h"
#include "emulator/ptx/source_lines.h"
#include "emulator/ptx/variable.h"

namespace tmaemu::ptx {

class FunctionParser {
 public:
  // All must outlive this. `budget` is what the module's initializers may still take.
  FunctionParser(TokenStream& tokens, Module& module, SourceLines& lines, std::size_t& budget)
      : tokens_(tokens), lines_(lines), budget_(budget), scopes_(module, function_) {}
  FunctionParser(const FunctionParser&) = delete;
  FunctionParser& operator=(const FunctionParser&) = delete;

  // Parses what follows .entry or .func, to the end of the body or to the ";" of a declaration.
  Function parse(bool is_entry);

 private:
  void parse_attribute();
  void declare_parameters(const std::vector<Variable>& parameters);
  bool parse_tuning_directive();
  void parse_dimensions(std::array<std::uint32_t, 3>& dimensions);
  std::uint32_t parse_count();

  void parse_body();
  void parse_statement();
  void parse_body_directive();
  void parse_registers();
  void parse_register(const DeclarationHead& head);
  void parse_variables(StateSpace space);
  static void check_parameters(const std::vector<Variable>& parameters);
  void count_frame_bytes(const Variable& variable);
  void parse_name_statement(const std::optional<Operand>& guard);
  void parse_labeled(const Token& label);
  void parse_instruction(const Token& mnemonic, std::optional<Operand> guard);
  std::string_view join_modifiers(const Token& mnemonic);
  Operand parse_guard();

  void parse_branch_targets(std::string_view name);
  void parse_call_targets(std::string_view name);
  void parse_prototype(std::string_view name);

  TokenStream& tokens_;
  SourceLines& lines_;
  std::size_t& budget_;
  Function function_;
  Scopes scopes_;
  std::size_t frame_bytes_ = 0;
};

// `.noreturn`, `.abi_preserve N` and `.abi_preserve_control N`, which a header and a prototype may
// have; says whether one was there.
bool parse_call_directive(TokenStream& tokens, bool& is_noreturn);

}  // namespace tmaemu::ptx
