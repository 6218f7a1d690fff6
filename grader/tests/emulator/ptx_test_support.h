// What the tests of the PTX parser share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "emulator/ptx/parser.h"

namespace tmaemu::ptx::testing {

inline constexpr const char* header = ".version 9.0\n.target sm_90a\n.address_size 64\n";

// The module of a header and the text; fails the test where it does not parse.
inline std::unique_ptr<Module> parse_module(const std::string& text) {
  auto result = parse(header + text);
  if (!result) {
    ADD_FAILURE() << result.error().message;
    return std::make_unique<Module>();
  }
  return std::move(*result);
}

// A module whose only function is a kernel with this body.
inline std::unique_ptr<Module> parse_kernel(const std::string& body) {
  auto module = parse_module(".entry k(.param .u64 k_param_0)\n{\n" + body + "\n}\n");
  if (module->functions.empty()) module->functions.emplace_back();
  return module;
}

// The error that a header and the text give; fails the test where they parse.
inline std::string error_of(const std::string& text) {
  const auto result = parse(header + text);
  if (result.ok()) {
    ADD_FAILURE() << "this should not parse:\n" << text;
    return {};
  }
  return result.error().message;
}

inline std::string error_of_kernel(const std::string& body) {
  return error_of(".entry k(.param .u64 k_param_0)\n{\n" + body + "\n}\n");
}

}  // namespace tmaemu::ptx::testing
