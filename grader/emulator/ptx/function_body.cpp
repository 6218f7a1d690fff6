// The body of a function: directives, labels and instructions.
#include <utility>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/function_parser.h"
#include "emulator/ptx/operand.h"

namespace tmaemu::ptx {
namespace {

// Registers of one declaration; far more than a function of the longest kernels has.
constexpr std::uint64_t max_registers = std::uint64_t{1} << 20;

std::vector<std::string_view> split_at_dots(std::string_view mnemonic) {
  std::vector<std::string_view> parts;
  parts.reserve(8);
  while (true) {
    const std::size_t dot = mnemonic.find('.');
    parts.push_back(mnemonic.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    mnemonic.remove_prefix(dot + 1);
  }
}

}  // namespace

void FunctionParser::parse_body() {
  // The body shares the scope of the parameters. Inner scopes do not recurse: depth is free.
  tokens_.expect('{');
  const std::size_t outermost = scopes_.depth();
  while (true) {
    if (tokens_.at_end()) tokens_.fail_expecting("\"}\"");
    if (tokens_.accept('{')) {
      scopes_.open();
    } else if (tokens_.accept('}')) {
      const bool is_last = scopes_.depth() == outermost;
      scopes_.close();
      if (is_last) return;
    } else {
      parse_statement();
    }
  }
}

void FunctionParser::parse_statement() {
  if (tokens_.current().kind == Token::Kind::directive) {
    parse_body_directive();
  } else if (tokens_.current().kind == Token::Kind::identifier) {
    parse_name_statement(std::nullopt);
  } else if (tokens_.accept('@')) {
    parse_name_statement(parse_guard());
  } else if (!tokens_.accept(';')) {
    tokens_.fail_expecting("an instruction, a label or a directive");
  }
}

void FunctionParser::parse_body_directive() {
  if (tokens_.accept_directive(".loc")) {
    lines_.parse_loc(tokens_, function_.body.size());
  } else if (tokens_.accept_directive(".reg")) {
    parse_registers();
  } else if (tokens_.accept_directive(".pragma")) {
    // Hints to ptxas: "nounroll", "used_bytes_mask" and the like.
    tokens_.take_string("a pragma's text");
    tokens_.expect(';');
  } else if (tokens_.accept_directive(".file")) {
    lines_.parse_file(tokens_);
  } else if (const StateSpace space = state_space_from_directive(tokens_.current());
             space != StateSpace::none) {
    tokens_.take();
    parse_variables(space);
  } else {
    tokens_.fail_expecting("a directive that can stand in a function");
  }
}

void FunctionParser::parse_registers() {
  const DeclarationHead head = parse_declaration_head(tokens_, StateSpace::reg);
  do {
    parse_register(head);
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

void FunctionParser::parse_register(const DeclarationHead& head) {
  const Token name = tokens_.take_identifier("the name of a register");
  std::uint64_t count = 0;
  if (tokens_.accept('<')) {
    // Not parse_unsigned: ">" ends the number here.
    const Token number = tokens_.current();
    if (number.kind != Token::Kind::number) tokens_.fail_expecting("a number of registers");
    TokenStream digits(number.text);
    count = parse_unsigned(digits, "the number of registers", max_registers);
    tokens_.take();
    tokens_.expect('>');
    if (count == 0) return;
  }
  function_.registers.push_back({scopes_.declare_register(name, count), head.type,
                                 static_cast<std::size_t>(count), head.vector_width});
}

void FunctionParser::parse_variables(StateSpace space) {
  const DeclarationHead head = parse_declaration_head(tokens_, space);
  do {
    const Token name = tokens_.take_identifier("the name of a variable");
    Declarator declarator = parse_declarator(tokens_, head, name);
    declarator.variable.name = scopes_.declare_variable(name);
    count_frame_bytes(declarator.variable);
    if (tokens_.accept('=')) parse_initializer(tokens_, declarator, budget_);
    function_.variables.push_back(std::move(declarator.variable));
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

// What follows @: p or !p.
Operand FunctionParser::parse_guard() {
  Operand guard;
  guard.kind = Operand::Kind::reg;
  guard.negated = tokens_.accept('!');
  const Token name = tokens_.take_identifier("a predicate");
  const Scopes::Resolved resolved = scopes_.resolve(name.text);
  if (!resolved.is_register) tokens_.fail("\"" + std::string(name.text) + "\" is no register");
  guard.name = resolved.name;
  return guard;
}

// A label or an instruction: both start with a name.
void FunctionParser::parse_name_statement(const std::optional<Operand>& guard) {
  const Token name = tokens_.take_identifier("an instruction");
  if (!guard && tokens_.accept(':')) {
    parse_labeled(name);
  } else {
    parse_instruction(name, guard);
  }
}

void FunctionParser::parse_labeled(const Token& label) {
  const std::string_view name = scopes_.declare_label(label);
  if (tokens_.accept_directive(".branchtargets")) {
    parse_branch_targets(name);
  } else if (tokens_.accept_directive(".calltargets")) {
    parse_call_targets(name);
  } else if (tokens_.accept_directive(".callprototype")) {
    parse_prototype(name);
  } else {
    function_.labels.push_back({name, function_.body.size()});
  }
}

void FunctionParser::parse_branch_targets(std::string_view name) {
  BranchTargets targets{name, {}};
  const std::size_t list = function_.branch_targets.size();
  do {
    const Token label = tokens_.take_identifier("a label");
    scopes_.refer_from_branch_targets(label.text, list, targets.labels.size());
    targets.labels.push_back(label.text);
  } while (tokens_.accept(','));
  tokens_.expect(';');
  function_.branch_targets.push_back(std::move(targets));
}

void FunctionParser::parse_call_targets(std::string_view name) {
  CallTargets targets{name, {}};
  do {
    targets.functions.push_back(tokens_.take_identifier("a function").text);
  } while (tokens_.accept(','));
  tokens_.expect(';');
  function_.call_targets.push_back(std::move(targets));
}

// .callprototype (results) _ (parameters) .noreturn;
void FunctionParser::parse_prototype(std::string_view name) {
  CallPrototype prototype{name, {}, {}};
  if (tokens_.current().is('(')) prototype.results = parse_parameter_list(tokens_);
  const Token blank = tokens_.take_identifier("\"_\"");
  if (blank.text != "_") {
    throw SyntaxError{blank.line, "expected \"_\", found \"" + std::string(blank.text) + "\""};
  }
  if (tokens_.current().is('(')) prototype.parameters = parse_parameter_list(tokens_);
  bool is_noreturn = false;
  while (parse_call_directive(tokens_, is_noreturn)) {
  }
  tokens_.expect(';');
  function_.prototypes.push_back(std::move(prototype));
}

// "ld .global .u32" is as good as "ld.global.u32": a mnemonic with blanks gets a text of its own.
std::string_view FunctionParser::join_modifiers(const Token& mnemonic) {
  if (tokens_.current().kind != Token::Kind::directive) return mnemonic.text;
  std::string joined(mnemonic.text);
  while (tokens_.current().kind == Token::Kind::directive) joined += tokens_.take().text;
  return scopes_.intern(std::move(joined));
}

void FunctionParser::parse_instruction(const Token& mnemonic, std::optional<Operand> guard) {
  Instruction& instruction = function_.body.emplace_back();
  instruction.mnemonic = join_modifiers(mnemonic);
  instruction.parts = split_at_dots(instruction.mnemonic);
  instruction.guard = std::move(guard);
  instruction.line = mnemonic.line;
  const bool is_call = instruction.is_call();
  if (tokens_.accept(';')) return;
  do {
    instruction.operands.push_back(parse_operand(tokens_, scopes_, is_call));
    const Operand& operand = instruction.operands.back();
    if (operand.kind == Operand::Kind::symbol) {
      scopes_.refer_from_operand(operand.name, function_.body.size() - 1,
                                 instruction.operands.size() - 1);
    }
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

}  // namespace tmaemu::ptx
