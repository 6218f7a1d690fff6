// How an operation orders memory among threads: PTX ISA, "Memory Consistency Model", "Operation
// Types" and "Scope".
#pragma once

#include <compare>
#include <cstdint>

namespace tmaemu {

enum class Semantics : std::uint8_t { weak, relaxed, acquire, release, acquire_release };

// The threads that an operation may be ordered with. Each scope includes those before it.
enum class Scope : std::uint8_t { cta, cluster, gpu, sys };

// A .volatile operation is .relaxed at system scope.
struct MemoryOrder {
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;

  bool is_strong() const { return semantics != Semantics::weak; }
  bool acquires() const {
    return semantics == Semantics::acquire || semantics == Semantics::acquire_release;
  }
  bool releases() const {
    return semantics == Semantics::release || semantics == Semantics::acquire_release;
  }
  bool operator==(const MemoryOrder&) const = default;
};

}  // namespace tmaemu
