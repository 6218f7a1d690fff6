#include "emulator/ptx/lexer.h"

#include <array>
#include <utility>

namespace tmaemu::ptx {
namespace {

enum CharacterClass : std::uint8_t { other = 0, name_start = 1, name_part = 2, digit = 4 };

// PTX ISA, "Identifiers": letters, digits, _ and $; % starts a name only.
constexpr std::array<std::uint8_t, 256> make_character_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = name_start | name_part;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = name_start | name_part;
  for (int c = '0'; c <= '9'; ++c) classes[c] = name_part | digit;
  classes['_'] = classes['$'] = name_start | name_part;
  classes['%'] = name_start;
  return classes;
}

constexpr std::array<std::uint8_t, 256> character_classes = make_character_classes();

bool has_class(char c, CharacterClass wanted) {
  return (character_classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

std::string_view view(const char* start, const char* end) {
  return {start, static_cast<std::size_t>(end - start)};
}

// The operators of constant expressions that have two characters.
bool is_operator_pair(char first, char second) {
  switch (first) {
    case '<':
    case '>':
      return second == first || second == '=';
    case '=':
    case '!':
      return second == '=';
    case '&':
    case '|':
      return second == first;
    default:
      return false;
  }
}

}  // namespace

void Lexer::skip_blanks_and_comments() {
  while (position_ != end_) {
    const char c = *position_;
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && end_ - position_ > 1 && position_[1] == '/') {
      while (position_ != end_ && *position_ != '\n') ++position_;
    } else if (c == '/' && end_ - position_ > 1 && position_[1] == '*') {
      const int opened_at = line_;
      position_ += 2;
      while (end_ - position_ > 1 && !(position_[0] == '*' && position_[1] == '/')) {
        line_ += *position_++ == '\n';
      }
      if (end_ - position_ < 2) throw SyntaxError{opened_at, "this comment is never closed"};
      position_ += 2;
    } else {
      return;
    }
  }
}

// A name and what is joined to it by "." or "::". Modifiers may start with a digit (".2d"), and one
// has a colon between two ("sp::2:4").
std::string_view Lexer::take_name(const char* start) {
  bool is_in_ratio = false;
  while (true) {
    while (position_ != end_ && has_class(*position_, name_part)) ++position_;
    const auto left = end_ - position_;
    if (left > 1 && *position_ == '.' && has_class(position_[1], name_part)) {
      position_ += 1;
      is_in_ratio = false;
    } else if (left > 2 && position_[0] == ':' && position_[1] == ':' &&
               has_class(position_[2], name_part)) {
      position_ += 2;
      is_in_ratio = has_class(*position_, digit);
    } else if (is_in_ratio && left > 1 && *position_ == ':' && has_class(position_[1], digit)) {
      position_ += 1;
    } else {
      return view(start, position_);
    }
  }
}

// Digits, letters (hexadecimal, the suffix U, the prefixes 0x, 0b, 0f and 0d), and for decimal
// floating point a point and a signed exponent. constant.cpp checks what comes of it.
std::string_view Lexer::take_number(const char* start) {
  const bool has_prefix = *start == '0' && end_ - start > 1 && has_class(start[1], name_start) &&
                          (start[1] | 0x20) != 'e';
  while (position_ != end_) {
    const char c = *position_;
    const bool is_exponent_sign = !has_prefix && (c == '+' || c == '-') && position_ != start &&
                                  (position_[-1] | 0x20) == 'e';
    const bool is_point = !has_prefix && c == '.';
    if (!has_class(c, name_part) && !is_exponent_sign && !is_point) break;
    ++position_;
  }
  return view(start, position_);
}

std::string_view Lexer::take_string() {
  const char* start = position_;
  while (position_ != end_ && *position_ != '"' && *position_ != '\n') {
    position_ += *position_ == '\\' && end_ - position_ > 1 && position_[1] != '\n' ? 2 : 1;
  }
  if (position_ == end_ || *position_ != '"') {
    throw SyntaxError{line_, "this string is never closed"};
  }
  return view(start, position_++);
}

Token Lexer::next() {
  skip_blanks_and_comments();
  if (position_ == end_) return {Token::Kind::end, line_, {}};
  const char* start = position_++;
  if (has_class(*start, name_start)) {
    return {Token::Kind::identifier, line_, take_name(start)};
  }
  if (has_class(*start, digit)) return {Token::Kind::number, line_, take_number(start)};
  if (*start == '.' && position_ != end_ && has_class(*position_, name_part)) {
    while (position_ != end_ && has_class(*position_, name_part)) ++position_;
    return {Token::Kind::directive, line_, view(start, position_)};
  }
  if (*start == '"') return {Token::Kind::string, line_, take_string()};
  if (position_ != end_ && is_operator_pair(*start, *position_)) ++position_;
  return {Token::Kind::punctuation, line_, view(start, position_)};
}

bool TokenStream::accept(char punctuation) {
  if (!current_.is(punctuation)) return false;
  current_ = lexer_.next();
  return true;
}

bool TokenStream::accept_directive(std::string_view name) {
  if (!current_.is_directive(name)) return false;
  current_ = lexer_.next();
  return true;
}

Token TokenStream::take() {
  return std::exchange(current_, lexer_.next());
}

Token TokenStream::take_identifier(std::string_view what) {
  if (current_.kind != Token::Kind::identifier) fail_expecting(what);
  return take();
}

Token TokenStream::take_directive(std::string_view what) {
  if (current_.kind != Token::Kind::directive) fail_expecting(what);
  return take();
}

Token TokenStream::take_string(std::string_view what) {
  if (current_.kind != Token::Kind::string) fail_expecting(what);
  return take();
}

void TokenStream::expect(char punctuation) {
  if (!accept(punctuation)) fail_expecting(std::string{'"', punctuation, '"'});
}

void TokenStream::fail_expecting(std::string_view what) const {
  std::string message = "expected " + std::string(what) + ", found ";
  if (at_end()) {
    message += "the end of the text";
  } else {
    message += '"' + std::string(current_.text) + '"';
  }
  fail(std::move(message));
}

void TokenStream::fail(std::string message) const {
  throw SyntaxError{current_.line, std::move(message)};
}

}  // namespace tmaemu::ptx
