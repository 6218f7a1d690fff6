#include "emulator/check/bit_fields.h"

#include <unordered_set>

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool is_same_place(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::address && b.kind == a.kind && a.name == b.name &&
         a.offset == b.offset;
}

// Bits stay where they are.
bool keeps_places(const Effects& effects) {
  return effects.computation == Computation::copy ||
         effects.computation == Computation::conversion ||
         effects.computation == Computation::joined_bits ||
         effects.computation == Computation::masked_bits;
}

}  // namespace

BitFields::BitFields(const ptx::Function& function, std::span<const Effects> effects)
    : function_(function), effects_(effects) {
  for (std::size_t i = 0; i < effects.size(); ++i) {
    for_each_register_read(function.body[i], effects[i], [&](std::string_view name) {
      std::vector<std::size_t>& readers = readers_[name];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    });
  }
}

bool BitFields::is_only_put_back(std::size_t load) const {
  using Memory = Effects::Memory;
  const std::vector<Operand>& loaded = function_.body[load].operands;
  const bool is_plain = effects_[load].memory == Memory::load && loaded.size() == 2 &&
                        loaded.front().kind == Operand::Kind::reg;
  if (!is_plain) return false;
  bool masks = false;
  bool stores = false;
  std::vector<std::string_view> found{loaded.front().name};
  std::unordered_set<std::string_view> holding{found.front()};
  while (!found.empty()) {
    const auto readers = readers_.find(found.back());
    found.pop_back();
    if (readers == readers_.end()) continue;
    for (const std::size_t reader : readers->second) {
      const Effects& effects = effects_[reader];
      const Instruction& user = function_.body[reader];
      if (effects.memory == Memory::store) {
        const bool is_value = user.operands.size() == 2 && holding.contains(user.operands[1].name);
        if (!is_value || !is_same_place(user.operands[0], loaded[1])) return false;
        stores = true;
        continue;
      }
      if (!effects.only_computes() || !keeps_places(effects)) return false;
      masks = masks || effects.computation == Computation::masked_bits;
      for_each_register_written(user, effects, [&](std::string_view result) {
        if (holding.insert(result).second) found.push_back(result);
      });
    }
  }
  return masks && stores;
}

}  // namespace tmaemu::check
