// What the manual has and the emulator has not.
#pragma once

#include <span>
#include <string_view>

namespace tmaemu {

struct Unmodeled {
  std::string_view chapter;
  std::string_view reason;  // why, and what to do instead
  std::string_view names;   // mnemonics or their beginnings
};

std::span<const Unmodeled> unmodeled_instructions();

// The entry that the mnemonic belongs to; null where there is none.
const Unmodeled* find_unmodeled(std::string_view mnemonic);

}  // namespace tmaemu
