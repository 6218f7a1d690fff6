// Conversions of any type to any other, as cvt decodes them.
#pragma once

#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/numeric/float_format.h"

namespace tmaemu {

// A type as a conversion sees it.
struct NumberType {
  unsigned bits = 0;
  bool is_signed = false;               // of integers
  const FloatFormat* format = nullptr;  // null: an integer

  bool is_float() const { return format != nullptr; }
};

// A conversion with its modifiers.
struct Conversion {
  NumberType from, to;
  Rounding rounding = Rounding::nearest_even;
  bool to_integral = false;  // float to float: to an integral value (.rni and the like)
  bool ftz = false;
  bool saturates = false;
  bool rectifies = false;
  bool satfinite = false;
  // Registers, which may be wider than the types.
  unsigned from_bytes = 0, to_bytes = 0;
};

// The bits of the converted value, extended to 64 bits as a wider register would be.
u64 convert(const Conversion& conversion, u64 bits);

// Decodes cvt forms without a handler of their own.
void decode_general_conversion(Decoder& decoder, Instruction& instruction, Operation& op);
void decode_packed_conversion(Decoder& decoder, Instruction& instruction, Operation& op);
void decode_integer_pack(Decoder& decoder, Instruction& instruction, Operation& op,
                         const Definition& definition);

// The type that a modifier names; a float's format or an integer. Refuses others.
NumberType number_type(std::string_view name);

}  // namespace tmaemu
