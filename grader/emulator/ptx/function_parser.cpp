// The header of a function: what stands before its body.
#include "emulator/ptx/function_parser.h"

#include <limits>
#include <utility>

#include "emulator/ptx/constant.h"

namespace tmaemu::ptx {
namespace {

constexpr std::uint64_t max_count = std::numeric_limits<std::uint32_t>::max();
// More than the local and shared memory of any GPU.
constexpr std::size_t max_frame_bytes = std::size_t{1} << 30;

}  // namespace

bool parse_call_directive(TokenStream& tokens, bool& is_noreturn) {
  if (tokens.accept_directive(".noreturn")) {
    is_noreturn = true;
    return true;
  }
  // How many registers a call preserves matters to register allocation only.
  const bool is_abi =
      tokens.accept_directive(".abi_preserve") || tokens.accept_directive(".abi_preserve_control");
  if (is_abi) parse_unsigned(tokens, "a number of registers", max_count);
  return is_abi;
}

Function FunctionParser::parse(bool is_entry) {
  function_.is_entry = is_entry;
  scopes_.open();
  if (tokens_.accept_directive(".attribute")) parse_attribute();
  if (!is_entry && tokens_.current().is('(')) {
    function_.results = parse_parameter_list(tokens_);
    declare_parameters(function_.results);
  }
  const Token name = tokens_.take_identifier("the name of the function");
  function_.name = name.text;
  function_.line = name.line;
  if (tokens_.current().is('(')) {
    function_.parameters = parse_parameter_list(tokens_);
    declare_parameters(function_.parameters);
  }
  while (parse_tuning_directive()) {
  }
  if (tokens_.accept(';')) {
    function_.is_extern = true;
  } else {
    if (!tokens_.current().is('{')) tokens_.fail_expecting("a directive, \";\" or \"{\"");
    check_parameters(function_.results);
    check_parameters(function_.parameters);
    parse_body();
    lines_.finish_function(function_);
  }
  return std::move(function_);
}

// .attribute(.unified(uuid1, uuid2)): one address for all devices, and here is one.
void FunctionParser::parse_attribute() {
  tokens_.expect('(');
  if (!tokens_.accept_directive(".unified")) tokens_.fail_expecting(".unified");
  tokens_.expect('(');
  parse_integer(tokens_, "the first half of an identifier");
  tokens_.expect(',');
  parse_integer(tokens_, "the second half of an identifier");
  tokens_.expect(')');
  tokens_.expect(')');
}

void FunctionParser::declare_parameters(const std::vector<Variable>& parameters) {
  for (const Variable& parameter : parameters) {
    count_frame_bytes(parameter);
    if (parameter.name == "_") continue;
    // Views of the name must outlive the function's std::string, which moves.
    const Token name{Token::Kind::identifier, parameter.line, scopes_.intern(parameter.name)};
    if (parameter.space == StateSpace::reg) {
      function_.registers.push_back(
          {scopes_.declare_register(name, 0), parameter.type, 0, parameter.vector_width});
    } else {
      scopes_.declare_variable(name);
    }
  }
}

// Of a function that is defined here: callers write their values to these places.
void FunctionParser::check_parameters(const std::vector<Variable>& parameters) {
  for (const Variable& parameter : parameters) {
    if (parameter.name == "_") {
      throw SyntaxError{parameter.line, "a function with a body names its parameters"};
    }
    if (parameter.space == StateSpace::reg && !parameter.is_scalar()) {
      throw SyntaxError{parameter.line, "a parameter that is an array or a vector is no register"};
    }
  }
}

// The sum of what lies in one frame, padding included, so that offsets fit in 32 bits.
void FunctionParser::count_frame_bytes(const Variable& variable) {
  frame_bytes_ += variable.alignment + variable.size();
  if (frame_bytes_ <= max_frame_bytes) return;
  throw SyntaxError{variable.line, "the parameters and variables of this function are too large"};
}

std::uint32_t FunctionParser::parse_count() {
  return static_cast<std::uint32_t>(parse_unsigned(tokens_, "a number", max_count));
}

// One to three numbers; those left out are 1.
void FunctionParser::parse_dimensions(std::array<std::uint32_t, 3>& dimensions) {
  dimensions = {1, 1, 1};
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    dimensions[i] = parse_count();
    if (!tokens_.accept(',')) return;
  }
  tokens_.fail("more than three dimensions");
}

// PTX ISA, "Performance-Tuning Directives" and ".entry"; says whether one was there.
bool FunctionParser::parse_tuning_directive() {
  if (parse_call_directive(tokens_, function_.is_noreturn)) return true;
  if (tokens_.accept_directive(".maxntid")) {
    parse_dimensions(function_.max_threads);
  } else if (tokens_.accept_directive(".reqntid")) {
    parse_dimensions(function_.required_threads);
  } else if (tokens_.accept_directive(".reqnctapercluster")) {
    parse_dimensions(function_.required_cluster);
  } else if (tokens_.accept_directive(".maxclusterrank")) {
    function_.max_cluster_rank = parse_count();
  } else if (tokens_.accept_directive(".minnctapersm")) {
    function_.min_ctas_per_sm = parse_count();
  } else if (tokens_.accept_directive(".explicitcluster")) {
    function_.explicit_cluster = true;
  } else if (tokens_.accept_directive(".blocksareclusters")) {
    function_.blocks_are_clusters = true;
  } else if (tokens_.accept_directive(".maxnreg")) {
    function_.max_registers = parse_count();
  } else if (tokens_.accept_directive(".maxnctapersm")) {
    // For ptxas's register allocation: nothing that a program can observe.
    parse_count();
  } else if (tokens_.accept_directive(".pragma")) {
    tokens_.take_string("a pragma's text");
    tokens_.expect(';');
  } else {
    return false;
  }
  return true;
}

}  // namespace tmaemu::ptx
