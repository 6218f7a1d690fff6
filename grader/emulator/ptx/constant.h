// Literals and constant expressions (PTX ISA, "Constants").
#pragma once

#include <cstdint>

#include "emulator/ptx/lexer.h"

namespace tmaemu::ptx {

struct Constant {
  enum class Kind : std::uint8_t {
    signed_integer,    // .s64
    unsigned_integer,  // .u64
    float32,           // bits holds the 32-bit pattern
    float64,           // bits holds the 64-bit pattern
  };
  Kind kind = Kind::signed_integer;
  std::uint64_t bits = 0;

  bool is_integer() const { return kind == Kind::signed_integer || kind == Kind::unsigned_integer; }
};

// Whether a constant expression can start at the token.
bool starts_constant(const Token& token);

// A constant expression with all of PTX's operators and its rules for signedness.
Constant parse_constant(TokenStream& tokens);

// The same, where only an integer will do; `what` names it in the error.
std::int64_t parse_integer(TokenStream& tokens, std::string_view what);
// An integer from 0 to `maximum`.
std::uint64_t parse_unsigned(TokenStream& tokens, std::string_view what, std::uint64_t maximum);

}  // namespace tmaemu::ptx
