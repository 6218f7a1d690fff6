// What the fuzzers feed with bytes. Each function takes any input and must answer: with a result or
// with an error, in time and memory that fit the input's size. The test of the corpus calls the
// same.
#pragma once

#include <cstddef>
#include <span>

namespace tmaemu::fuzz {

using Input = std::span<const std::byte>;

void read_fatbin(Input input);  // the fat binary reader and what it unpacks
void parse_ptx(Input input);    // lexer and parser
void decode_ptx(Input input);   // a module that parses: its variables placed, its kernels decoded
void read_elf(Input input);     // the launcher's look at a program

}  // namespace tmaemu::fuzz
