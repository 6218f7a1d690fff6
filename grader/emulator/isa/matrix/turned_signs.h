// Products of a warpgroup that are made wrong on purpose: contract/protocol/turned_signs.h.
#pragma once

#include "emulator/tensor/packed.h"

namespace tmaemu {

// As tensor::multiply(), but that the signs of some products are turned, as the key says. Those of
// integers are not.
void multiply_turning_signs(std::uint32_t key, const tensor::Product& product,
                            const tensor::PackedRows& a, const tensor::PackedRows& b,
                            const tensor::KeptColumns& kept, u32* accumulators);

}  // namespace tmaemu
