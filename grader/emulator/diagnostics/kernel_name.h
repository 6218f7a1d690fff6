// What a kernel is called where its work is told.
#pragma once

#include <string>

namespace tmaemu {

// "(anonymous namespace)::copy<4>" of the symbol whose name in full is
// "void (anonymous namespace)::copy<4>(float*)": without result and parameters.
std::string kernel_name(const std::string& symbol);

}  // namespace tmaemu
