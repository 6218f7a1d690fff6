#include "emulator/isa/unmodeled.h"

#include <algorithm>

#include "emulator/isa/words.h"

namespace tmaemu {
namespace {

constexpr std::string_view is_not_of_sm_90 =
    "it exists on no sm_90 device; compile the kernel for sm_90a";

constexpr Unmodeled entries[] = {
    {"Textures and surfaces", instead_of_textures, "tex tld4 txq istypep suld sust sured suq"},
    {"Tensor memory (fifth-generation tensor cores)", is_not_of_sm_90,
     "tcgen05.alloc tcgen05.dealloc tcgen05.ld tcgen05.st tcgen05.cp tcgen05.shift tcgen05.mma "
     "tcgen05.commit tcgen05.wait tcgen05.fence"},
    {"Multimem", "multicast objects over several devices are not modeled; use one device's memory",
     "multimem.ld_reduce multimem.st multimem.red multimem.cp.async.bulk "
     "multimem.cp.reduce.async.bulk"},
    {"Cluster launch control", is_not_of_sm_90,
     "clusterlaunchcontrol.try_cancel clusterlaunchcontrol.query_cancel"},
};

bool begins_with(std::string_view mnemonic, std::string_view name) {
  return mnemonic.starts_with(name) &&
         (mnemonic.size() == name.size() || mnemonic[name.size()] == '.');
}

}  // namespace

std::span<const Unmodeled> unmodeled_instructions() {
  return entries;
}

const Unmodeled* find_unmodeled(std::string_view mnemonic) {
  const auto found = std::ranges::find_if(entries, [&](const Unmodeled& entry) {
    bool is_named = false;
    for_each_word(entry.names, [&](std::string_view name) {
      is_named = is_named || begins_with(mnemonic, name);
    });
    return is_named;
  });
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace tmaemu
