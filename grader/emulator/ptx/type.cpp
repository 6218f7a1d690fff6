// The names and sizes of PTX's types.
#include <array>

#include "emulator/ptx/module.h"

namespace tmaemu::ptx {
namespace {

struct TypeEntry {
  Type type;
  std::string_view name;
  std::size_t bytes;
};

// In the order of the enumeration, so that a type is its own index.
constexpr std::array types = {
    TypeEntry{Type::none, "", 0},         TypeEntry{Type::pred, "pred", 0},
    TypeEntry{Type::b8, "b8", 1},         TypeEntry{Type::b16, "b16", 2},
    TypeEntry{Type::b32, "b32", 4},       TypeEntry{Type::b64, "b64", 8},
    TypeEntry{Type::b128, "b128", 16},    TypeEntry{Type::u8, "u8", 1},
    TypeEntry{Type::u16, "u16", 2},       TypeEntry{Type::u32, "u32", 4},
    TypeEntry{Type::u64, "u64", 8},       TypeEntry{Type::s8, "s8", 1},
    TypeEntry{Type::s16, "s16", 2},       TypeEntry{Type::s32, "s32", 4},
    TypeEntry{Type::s64, "s64", 8},       TypeEntry{Type::f16, "f16", 2},
    TypeEntry{Type::f16x2, "f16x2", 4},   TypeEntry{Type::bf16, "bf16", 2},
    TypeEntry{Type::bf16x2, "bf16x2", 4}, TypeEntry{Type::tf32, "tf32", 4},
    TypeEntry{Type::f32, "f32", 4},       TypeEntry{Type::f32x2, "f32x2", 8},
    TypeEntry{Type::f64, "f64", 8},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (static_cast<std::size_t>(types[i].type) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::size_t size_of(Type type) {
  return types[static_cast<std::size_t>(type)].bytes;
}

std::string_view name_of(Type type) {
  return types[static_cast<std::size_t>(type)].name;
}

std::optional<Type> type_from_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const TypeEntry& entry : types) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

}  // namespace tmaemu::ptx
