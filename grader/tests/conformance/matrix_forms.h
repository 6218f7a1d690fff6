// The forms of the matrix instructions that the conformance suite has: all that ptxas takes for
// sm_90a, but for f16's m8n8k4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/matrix_values.h"
#include "tests/conformance/random_program.h"

namespace conformance {

struct MatrixForm {
  std::string mnemonic;    // of wmma: of the multiplication
  unsigned m, n, k;        // of the shape
  std::string d, a, b, c;  // types
  bool is_sparse = false;
  unsigned selector = 0;  // where it is sparse
  bool is_wmma = false;
  std::string layout_a = "row", layout_b = "col";

  std::string shape() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
};

std::vector<MatrixForm> matrix_forms();

// A program that executes the form in each of its warps, each with elements of its own, and then
// once more with the result for C. Its checkpoints are the results; of wmma the fragments, too.
RandomProgram matrix_program(const MatrixForm& form, MatrixValues values, std::uint64_t seed);

// Elements of D that the program computes.
std::size_t matrix_results(const MatrixForm& form);

}  // namespace conformance
