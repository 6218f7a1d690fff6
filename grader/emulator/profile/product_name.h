// A matrix multiplication in the words of PTX.
#pragma once

#include <string>

#include "emulator/tensor/product.h"

namespace tmaemu::profile {

// Its shape and the types of D, A and B: "m16n8k16 f32.bf16.bf16". What a warp multiplies: of
// wgmma that is a quarter of the rows.
std::string product_name(const tensor::Product& product);

}  // namespace tmaemu::profile
