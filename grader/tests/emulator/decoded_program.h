// A kernel's text, decoded: what is known of it without executing it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "emulator/isa/tables.h"
#include "emulator/program/decoder.h"
#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::testing {

class DecodedText {
 public:
  explicit DecodedText(const std::string& body)
      : module_(ptx::testing::parse_kernel(body)),
        program_(Decoder(
                     *module_, module_->functions.front(),
                     [](std::string_view) { return std::nullopt; }, instruction_set())
                     .decode()) {}

  const Program& program() const { return *program_; }
  const ptx::Function& function() const { return module_->functions.front(); }
  // Of the body's instructions.
  std::span<const Effects> effects() const {
    return program_->effects_of(program_->functions.front());
  }

 private:
  std::unique_ptr<ptx::Module> module_;
  std::unique_ptr<Program> program_;
};

}  // namespace tmaemu::testing
