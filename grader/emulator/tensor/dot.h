// One element of D, slowly: the rules of every family of instructions, plainly written. The tests
// compare multiply() with it.
#pragma once

#include "emulator/tensor/packed.h"

namespace tmaemu::tensor {

// Of a row of A, a row of B (see PackedRows) and the accumulator's bits. `kept`: the row of
// KeptColumns; null where A is dense. An f16 accumulator is the f32 of its value.
u32 dot(const Product& product, const std::byte* a, const std::byte* b, const u8* kept, u32 c);

// The same of f64.
f64 dot_f64(const Product& product, const std::byte* a, const std::byte* b, f64 c);

// The element of A and B that the i-th product of an instruction has: its blocks need not take them
// in their order.
unsigned place_of_product(const Product& product, unsigned i);

// The sum of two accumulators as an ordinary instruction makes it, an f16 as the f32 of its value.
u32 ordinary_sum(Accumulator type, u32 a, u32 b);

// What the exact sum of products becomes with the accumulator.
u32 integer_sum(const Product& product, s64 products, u32 c);

}  // namespace tmaemu::tensor
