// A whole matrix instruction at once. The same answers as dot(), many at a time.
#pragma once

#include "emulator/tensor/packed.h"

namespace tmaemu::tensor {

// accumulators[row * n + column]: C before, D after. Not for f64. An f16 is the f32 of its value.
void multiply(const Product& product, const PackedRows& a, const PackedRows& b,
              const KeptColumns& kept, u32* accumulators);

void multiply_f64(const Product& product, const PackedRows& a, const PackedRows& b,
                  f64* accumulators);

}  // namespace tmaemu::tensor
