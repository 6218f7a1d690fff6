#include "emulator/check/bit_fields.h"

#include <algorithm>
#include <unordered_set>

#include "emulator/ptx/registers.h"

namespace tmaemu::check {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool is_one_of(std::string_view opcode, std::initializer_list<std::string_view> opcodes) {
  return std::ranges::find(opcodes, opcode) != opcodes.end();
}

bool is_same_place(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::address && b.kind == a.kind && a.name == b.name &&
         a.offset == b.offset;
}

}  // namespace

BitFields::BitFields(const ptx::Function& function) {
  for (const Instruction& instruction : function.body) {
    for (std::size_t i = instruction.parts.front() == "st" ? 0 : 1; i < instruction.operands.size();
         ++i) {
      for_each_register(instruction.operands[i], [&](std::string_view name) {
        std::vector<const Instruction*>& users = users_[name];
        if (users.empty() || users.back() != &instruction) users.push_back(&instruction);
      });
    }
  }
}

bool BitFields::is_only_put_back(const Instruction& load) const {
  const bool is_plain = load.parts.front() == "ld" && load.operands.size() == 2 &&
                        load.operands.front().kind == Operand::Kind::reg;
  if (!is_plain) return false;
  bool masks = false;
  bool stores = false;
  std::vector<std::string_view> found{load.operands.front().name};
  std::unordered_set<std::string_view> holding{found.front()};
  while (!found.empty()) {
    const auto users = users_.find(found.back());
    found.pop_back();
    if (users == users_.end()) continue;
    for (const Instruction* user : users->second) {
      const std::string_view opcode = user->parts.front();
      if (opcode == "st") {
        const bool is_value =
            user->operands.size() == 2 && holding.contains(user->operands[1].name);
        if (!is_value || !is_same_place(user->operands[0], load.operands[1])) return false;
        stores = true;
        continue;
      }
      if (!is_one_of(opcode, {"and", "or", "bfi", "lop3", "cvt", "mov"})) return false;
      masks = masks || is_one_of(opcode, {"and", "bfi", "lop3"});
      const std::string_view result = user->operands.front().name;
      if (holding.insert(result).second) found.push_back(result);
    }
  }
  return masks && stores;
}

}  // namespace tmaemu::check
