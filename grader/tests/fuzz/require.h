// What the targets demand of every answer.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/result.h"
#include "tests/fuzz/targets.h"

namespace tmaemu::fuzz {

// An assert in every build: the fuzzer and the test take the abort for a crash.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

template <class T>
void require_answer(const common::Result<T>& result) {
  require(result.ok() || !result.error().message.empty(), "an error says nothing");
}

inline std::string text_of(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace tmaemu::fuzz
