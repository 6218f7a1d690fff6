// The name of a function as a student wrote it, from the symbol that the loader misses.
#pragma once

#include <string>
#include <string_view>

namespace judge {

// "launch_add_one(int*, unsigned long)" for "_Z14launch_add_onePim". The symbol is a submission's
// word, and each of its back references may double the text: what would become long is shown as it
// is, and cut.
std::string readable_name(std::string_view symbol);

}  // namespace judge
