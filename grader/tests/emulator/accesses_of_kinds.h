// Accesses for tests of what becomes of two of them.
#pragma once

#include "emulator/check/conflict.h"

namespace tmaemu::check {

inline PastAccess access_of(AccessKind kind) {
  PastAccess access;
  access.kind = kind;
  if (kind == AccessKind::load || kind == AccessKind::store) access.how = EngineAccess{};
  if (kind == AccessKind::copy || kind == AccessKind::async_store || kind == AccessKind::product) {
    access.how = DeferredAccess{};
  }
  return access;
}

}  // namespace tmaemu::check
