// The element types that lab5-tensor-ranks is tested with, as numbers: how checks.cpp tells
// entry.cu which template to call.
#pragma once

namespace lab5 {

enum Element : int { kFloat, kInt, kBfloat16 };

}  // namespace lab5
