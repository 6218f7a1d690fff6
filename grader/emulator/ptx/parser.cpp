#include "emulator/ptx/parser.h"

#include <charconv>
#include <unordered_map>
#include <utility>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/function_parser.h"
#include "emulator/ptx/lexer.h"
#include "emulator/ptx/source_lines.h"
#include "emulator/ptx/variable.h"

namespace tmaemu::ptx {
namespace {

// Lines are counted in an int. No compiler writes a text as long as this.
constexpr std::size_t max_text_bytes = std::size_t{1} << 30;

// PTX ISA, "Linking Directives".
struct Linkage {
  bool is_extern = false;
  bool is_visible = false;
  bool is_weak = false;
  bool is_common = false;
};

// What follows .version: major.minor
Version parse_version(TokenStream& tokens) {
  const Token number = tokens.current();
  const std::size_t point = number.text.find('.');
  if (number.kind != Token::Kind::number || point == std::string_view::npos) {
    tokens.fail_expecting("a version such as 9.0");
  }
  const auto to_int = [&](std::string_view digits) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end) tokens.fail_expecting("a version such as 9.0");
    return value;
  };
  const Version version{to_int(number.text.substr(0, point)),
                        to_int(number.text.substr(point + 1))};
  tokens.take();
  return version;
}

class ModuleParser {
 public:
  explicit ModuleParser(Module& module) : module_(module), tokens_(module.text), lines_(module) {}

  void parse() {
    while (!tokens_.at_end()) {
      if (!tokens_.accept(';')) parse_directive();
    }
    if (module_.version_major == 0) tokens_.fail("this text has no .version directive");
    lines_.finish();
  }

 private:
  void parse_directive();
  void parse_target();
  void parse_address_size();
  void parse_alias();
  void parse_linked();
  void parse_variables(StateSpace space, const Linkage& linkage);
  void parse_function(bool is_entry, const Linkage& linkage);
  void add(Variable variable, int line);
  void add(Function function);

  Module& module_;
  TokenStream tokens_;
  SourceLines lines_;
  std::size_t initializer_budget_ = max_initializer_bytes;
  std::unordered_map<std::string, std::size_t> variables_;
  std::unordered_map<std::string, std::size_t> functions_;
};

void ModuleParser::parse_directive() {
  if (tokens_.accept_directive(".version")) {
    const Version version = parse_version(tokens_);
    module_.version_major = version.major;
    module_.version_minor = version.minor;
    return;
  }
  if (tokens_.accept_directive(".target")) return parse_target();
  if (tokens_.accept_directive(".address_size")) return parse_address_size();
  if (tokens_.accept_directive(".file")) return lines_.parse_file(tokens_);
  if (tokens_.accept_directive(".section")) return lines_.parse_section(tokens_);
  if (tokens_.accept_directive(".alias")) return parse_alias();
  if (tokens_.accept_directive(".pragma")) {
    tokens_.take_string("a pragma's text");
    return tokens_.expect(';');
  }
  parse_linked();
}

// .target sm_90a, debug
void ModuleParser::parse_target() {
  module_.target = tokens_.take_identifier("a target such as sm_90a").text;
  while (tokens_.accept(',')) {
    const Token option = tokens_.take_identifier("a target option");
    if (option.text != "debug" && option.text != "texmode_independent" &&
        option.text != "texmode_unified") {
      throw SyntaxError{option.line,
                        "the target option " + std::string(option.text) + " is not supported"};
    }
    module_.is_for_debugger |= option.text == "debug";
  }
}

void ModuleParser::parse_address_size() {
  if (parse_integer(tokens_, "the size of an address") != 64) {
    tokens_.fail("only 64-bit addresses are supported");
  }
}

// .alias name, target;
void ModuleParser::parse_alias() {
  Alias alias;
  alias.name = tokens_.take_identifier("the alias").text;
  tokens_.expect(',');
  alias.target = tokens_.take_identifier("the function it stands for").text;
  tokens_.expect(';');
  module_.aliases.push_back(std::move(alias));
}

// Linking directives, then a variable or a function.
void ModuleParser::parse_linked() {
  Linkage linkage;
  while (true) {
    if (tokens_.accept_directive(".extern")) {
      linkage.is_extern = true;
    } else if (tokens_.accept_directive(".visible")) {
      linkage.is_visible = true;
    } else if (tokens_.accept_directive(".weak")) {
      linkage.is_weak = true;
    } else if (tokens_.accept_directive(".common")) {
      linkage.is_common = true;
    } else {
      break;
    }
  }
  const bool is_entry = tokens_.current().is_directive(".entry");
  if (is_entry || tokens_.current().is_directive(".func")) {
    tokens_.take();
    return parse_function(is_entry, linkage);
  }
  const StateSpace space = state_space_from_directive(tokens_.current());
  if (space != StateSpace::global && space != StateSpace::constant && space != StateSpace::shared &&
      space != StateSpace::local) {
    tokens_.fail_expecting("a variable, a function or another directive of a module");
  }
  tokens_.take();
  parse_variables(space, linkage);
}

void ModuleParser::parse_variables(StateSpace space, const Linkage& linkage) {
  const DeclarationHead head = parse_declaration_head(tokens_, space);
  do {
    const Token name = tokens_.take_identifier("the name of a variable");
    Declarator declarator = parse_declarator(tokens_, head, name);
    if (tokens_.accept('=')) parse_initializer(tokens_, declarator, initializer_budget_);
    Variable& variable = declarator.variable;
    variable.is_extern = linkage.is_extern;
    variable.is_visible = linkage.is_visible;
    variable.is_weak_or_common = linkage.is_weak || linkage.is_common;
    add(std::move(variable), name.line);
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

// A declaration gives way to the definition, in whichever order they come.
void ModuleParser::add(Variable variable, int line) {
  const auto [entry, is_new] = variables_.try_emplace(variable.name, module_.variables.size());
  if (is_new) {
    module_.variables.push_back(std::move(variable));
    return;
  }
  Variable& known = module_.variables[entry->second];
  if (!known.is_extern && !variable.is_extern) {
    throw SyntaxError{line, "\"" + variable.name + "\" is defined a second time"};
  }
  if (known.is_extern) known = std::move(variable);
}

void ModuleParser::parse_function(bool is_entry, const Linkage& linkage) {
  Function function = FunctionParser(tokens_, module_, lines_, initializer_budget_).parse(is_entry);
  function.is_visible = linkage.is_visible;
  function.is_weak = linkage.is_weak;
  add(std::move(function));
}

void ModuleParser::add(Function function) {
  const auto [entry, is_new] = functions_.try_emplace(function.name, module_.functions.size());
  if (is_new) {
    module_.functions.push_back(std::move(function));
    return;
  }
  Function& known = module_.functions[entry->second];
  if (!known.is_extern && !function.is_extern) {
    throw SyntaxError{function.line, "\"" + function.name + "\" is defined a second time"};
  }
  const bool is_noreturn = known.is_noreturn || function.is_noreturn;
  if (known.is_extern) known = std::move(function);
  known.is_noreturn = is_noreturn;
}

common::Error describe(const SyntaxError& error, const Module& module) {
  std::string message = "PTX line " + std::to_string(error.line) + ": " + error.message;
  message += '\n';
  message += module.line_text(error.line);
  return {std::move(message)};
}

}  // namespace

common::Result<std::unique_ptr<Module>> parse(std::string text) {
  if (text.size() > max_text_bytes) {
    return common::Error{"a PTX text of " + std::to_string(text.size()) + " bytes is too long"};
  }
  auto module = std::make_unique<Module>();
  module->text = std::move(text);
  try {
    ModuleParser(*module).parse();
  } catch (const SyntaxError& error) {
    return describe(error, *module);
  }
  return module;
}

std::optional<Version> declared_version(std::string_view text) {
  try {
    TokenStream tokens(text);
    if (!tokens.accept_directive(".version")) return std::nullopt;
    return parse_version(tokens);
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

}  // namespace tmaemu::ptx
