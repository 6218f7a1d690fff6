// Names and lines that a program brings, made fit to be shown: PTX may have any bytes in it, and as
// many as it likes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tmaemu {

// The text as one line of UTF-8 of at most about `most_bytes`: "?" for control characters, U+FFFD
// for bytes that are no UTF-8, "..." where it is cut. Tabs stay.
std::string clean_text(std::string_view text, std::size_t most_bytes);

}  // namespace tmaemu
