// Splits PTX text into tokens. A token is a view into the text: nothing is copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tmaemu::ptx {

// What the parser throws where the text breaks PTX's grammar; ptx::parse turns it into an Error.
struct SyntaxError {
  int line = 0;
  std::string message;
};

struct Token {
  enum class Kind : std::uint8_t {
    end,
    identifier,   // name, mnemonic or special register, dotted parts included: "ld.global.u32",
                  // "%tid.x", "mbarrier.try_wait.shared::cta.b64"
    directive,    // dot and name: ".reg", ".v4"
    number,       // as written; constant.h knows what it means
    string,       // what stands between the quotes
    punctuation,  // one character, or an operator of two: "<<", "=="
  };
  Kind kind = Kind::end;
  int line = 1;
  std::string_view text;

  bool is(char punctuation) const {
    return kind == Kind::punctuation && text.size() == 1 && text.front() == punctuation;
  }
  bool is_directive(std::string_view name) const { return kind == Kind::directive && text == name; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : position_(text.data()), end_(text.data() + text.size()) {}

  Token next();

 private:
  void skip_blanks_and_comments();
  std::string_view take_name(const char* start);
  std::string_view take_number(const char* start);
  std::string_view take_string();

  const char* position_;
  const char* end_;
  int line_ = 1;
};

// One token of lookahead over a Lexer, with the checks that every grammar rule needs.
class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : lexer_(text), current_(lexer_.next()) {}

  const Token& current() const { return current_; }
  // The one behind it.
  Token following() const { return Lexer(lexer_).next(); }
  bool at_end() const { return current_.kind == Token::Kind::end; }

  // Each accept_ consumes the current token and says true where it is the one asked for.
  bool accept(char punctuation);
  bool accept_directive(std::string_view name);

  // Each take_ consumes the current token, or fails where it is of another kind.
  Token take();
  Token take_identifier(std::string_view what);
  Token take_directive(std::string_view what);
  Token take_string(std::string_view what);
  void expect(char punctuation);

  // Throws "expected <what>, found <current token>".
  [[noreturn]] void fail_expecting(std::string_view what) const;
  // Throws the message at the current line.
  [[noreturn]] void fail(std::string message) const;

 private:
  Lexer lexer_;
  Token current_;
};

}  // namespace tmaemu::ptx
