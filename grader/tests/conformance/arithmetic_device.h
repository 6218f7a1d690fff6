// One CUDA context that runs forms.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <span>

#include "tests/conformance/arithmetic_forms.h"

namespace conformance {

class FormRunner {
 public:
  // Forms are compiled `group` at a time, when the first of them is run.
  FormRunner(std::span<const Form> forms, std::size_t group) : forms_(forms), group_(group) {}

  // Runs a form on all its tuples: result_stride(form) words a tuple. The context is lost where
  // there is an error.
  CUresult run(std::size_t form, std::span<std::uint64_t> results);

 private:
  CUresult load(std::size_t first);

  std::span<const Form> forms_;
  std::size_t group_;
  std::optional<std::size_t> loaded_;
  CUmodule module_ = nullptr;
};

}  // namespace conformance
