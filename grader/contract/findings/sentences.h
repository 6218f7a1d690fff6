// What findings and their notes say, by name.
#pragma once

#include "contract/findings/finding_codes.h"

namespace tmaemu {

enum class Sentence : std::uint16_t {
#define SENTENCE(row, ...) row,
#include "contract/findings/sentences.def"
#undef SENTENCE
};

enum class NoteSentence : std::uint8_t {
#define NOTE(row, ...) row,
#include "contract/findings/notes.def"
#undef NOTE
};

}  // namespace tmaemu
