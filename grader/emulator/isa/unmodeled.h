// What the manual has and the emulator has not.
#pragma once

#include <span>
#include <string_view>

namespace tmaemu {

inline constexpr std::string_view instead_of_textures =
    "texture and surface objects are out of the course's scope; give the kernel a pointer to the "
    "data and use ordinary loads and stores, or TMA";

struct Unmodeled {
  std::string_view chapter;
  std::string_view reason;  // why, and what to do instead
  std::string_view names;   // mnemonics or their beginnings
};

std::span<const Unmodeled> unmodeled_instructions();

// The entry that the mnemonic belongs to; null where there is none.
const Unmodeled* find_unmodeled(std::string_view mnemonic);

}  // namespace tmaemu
