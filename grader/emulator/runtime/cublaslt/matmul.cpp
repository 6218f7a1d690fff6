// cublasLt, "cublasLtMatmul()": what it multiplies, and what is refused.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "emulator/runtime/blas/arithmetic.h"
#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/blas/product.h"
#include "emulator/runtime/cublaslt/descriptions.h"
#include "emulator/runtime/state/error.h"

using namespace tmaemu::runtime;
namespace blas = tmaemu::blas;

namespace {

// cublasLtMatmulAlgo_t: the program copies it as it is. There is one.
struct Algorithm {
  std::array<std::uint64_t, 8> data;
};
constexpr Algorithm the_algorithm{{0x75'6d'65'61'6d'74}};  // "tmaemu"

// cublasLtMatmulHeuristicResult_t.
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  int status;
  float waves;
  int reserved[4];
};

constexpr int full_fill_mode = 2;

struct Layouts {
  const MatrixLayout *a, *b, *c, *d;
};

// cublasLtEpilogue_t: bits.
constexpr unsigned epilogue_relu = 2, epilogue_bias = 4, epilogue_gelu = 32;

class Checker {
 public:
  Checker(const char* call, const MatmulDescription& description, const Layouts& layouts)
      : call_(call), own_(description), layouts_(layouts) {}

  // The product but for where its matrices are; nothing, and status(), where it is refused.
  std::optional<Product> check() {
    if (!check_features() || !check_shapes() || !check_types()) return std::nullopt;
    return product_;
  }
  BlasStatus status() const { return status_; }

 private:
  bool fail(BlasStatus status, const std::string& why) {
    status_ = refuse(status, call_, why);
    return false;
  }
  bool not_modeled(const std::string& what) {
    return fail(BlasStatus::not_supported, what + " is not modeled");
  }

  bool check_features() {
    if (own_.pointer_mode != 0 && own_.pointer_mode != 1) {
      return not_modeled("a vector of alphas (CUBLASLT_POINTER_MODE_..._VECTOR)");
    }
    if (own_.transpose_c != 0) return not_modeled("a transposed C (TRANSC)");
    if (own_.fill_mode != full_fill_mode) return not_modeled("a part of D (FILL_MODE)");
    if (std::ranges::any_of(own_.scale_modes, [](int mode) { return mode != 0; })) {
      return not_modeled("a scale for each block or vector of a matrix (SCALE_MODE)");
    }
    for (const MatrixLayout* layout : {layouts_.a, layouts_.b, layouts_.c, layouts_.d}) {
      if (layout->order != 0 && layout->order != 1) {
        return not_modeled("an order of elements other than by column or by row (ORDER)");
      }
      if (layout->plane_offset != 0) return not_modeled("planes of complex numbers");
    }
    return check_epilogue();
  }

  bool check_epilogue() {
    constexpr unsigned none = 1;
    const unsigned other = own_.epilogue & ~(none | epilogue_bias);
    if (other != 0 && other != epilogue_relu && other != epilogue_gelu) {
      return not_modeled("epilogue " + std::to_string(own_.epilogue) +
                         " (there are DEFAULT, BIAS, RELU, GELU, RELU_BIAS and GELU_BIAS)");
    }
    AfterProduct& after = product_.after;
    if (other == epilogue_relu) after.activation = blas::Activation::relu;
    if (other == epilogue_gelu) after.activation = blas::Activation::gelu;
    if ((own_.epilogue & epilogue_bias) == 0) return true;
    after.bias = reinterpret_cast<const void*>(own_.bias);
    after.bias_batch_stride = own_.bias_batch_stride;
    return after.bias != nullptr || fail(BlasStatus::invalid_value, "BIAS_POINTER is null");
  }

  bool check_shapes() {
    const auto& [a, b, c, d] = layouts_;
    const bool turns_a = own_.transpose_a != 0, turns_b = own_.transpose_b != 0;
    product_.m = turns_a ? a->columns : a->rows;
    product_.k = turns_a ? a->rows : a->columns;
    product_.n = turns_b ? b->rows : b->columns;
    const std::uint64_t k = turns_b ? b->columns : b->rows;
    const bool fits = k == product_.k && c->rows == product_.m && c->columns == product_.n &&
                      d->rows == product_.m && d->columns == product_.n;
    if (!fits) {
      return fail(BlasStatus::invalid_value, "the rows and columns of A, B, C and D do not fit");
    }
    for (const MatrixLayout* layout : {a, b, c, d}) {
      const std::uint64_t length = layout->order == 1 ? layout->columns : layout->rows;
      if (layout->leading < 0 || static_cast<std::uint64_t>(layout->leading) < length) {
        return fail(BlasStatus::invalid_value,
                    "a leading dimension is " + std::to_string(layout->leading) + ", and a line " +
                        "of that matrix has " + std::to_string(length) + " elements");
      }
      if (layout->batch_count != d->batch_count || layout->batch_count < 0) {
        return fail(BlasStatus::invalid_value, "the batch counts of A, B, C and D differ");
      }
    }
    product_.batch = static_cast<std::size_t>(d->batch_count);
    product_.a = operand(*a, turns_a);
    product_.b = operand(*b, turns_b);
    product_.c = operand(*c, false);
    product_.d = operand(*d, false);
    return true;
  }

  static Operand operand(const MatrixLayout& layout, bool is_transposed) {
    Operand operand;
    operand.type = static_cast<blas::Type>(layout.type);
    operand.rows = layout.rows;
    operand.columns = layout.columns;
    operand.leading = static_cast<std::size_t>(layout.leading);
    operand.batch_stride = layout.batch_stride;
    operand.is_row_major = layout.order == 1;
    operand.is_transposed = is_transposed;
    operand.is_array = layout.batch_mode == 1;
    return operand;
  }

  bool check_types() {
    const auto& [a, b, c, d] = layouts_;
    const auto arithmetic = light_arithmetic_of(static_cast<ComputeType>(own_.compute), own_.scale,
                                                {a->type, b->type, c->type, d->type});
    if (!arithmetic) {
      return fail(BlasStatus::not_supported,
                  "cublasLt does not multiply these types of A, B, C and D with this compute type "
                  "and this type of alpha, or they are complex, which is not modeled");
    }
    product_.alpha.type = product_.beta.type = arithmetic->scale;
    product_.factors = arithmetic->factors;
    product_.is_modular = arithmetic->is_modular;
    product_.sums_f16 = arithmetic->sums_f16;
    return blas::is_fp8(product_.a.type) ? check_fp8() : check_other_types();
  }

  bool check_other_types() {
    if (own_.scales != decltype(own_.scales){} || own_.largest != 0) {
      return fail(BlasStatus::not_supported, "scales and AMAX_D are for matrices of fp8");
    }
    product_.after.bias_type = bias_type(product_.d.type);
    return true;
  }

  // cublasLtMatmul's manual: what Hopper's kernels for fp8 need.
  bool check_fp8() {
    const bool is_tn = product_.a.is_transposed != product_.a.is_row_major &&
                       product_.b.is_transposed == product_.b.is_row_major;
    if (!is_tn) {
      return fail(BlasStatus::not_supported,
                  "of fp8, A is transposed (CUBLAS_OP_T) and B is not, on this architecture");
    }
    if (product_.m % 16 != 0 || product_.n % 16 != 0 || product_.k % 16 != 0) {
      return fail(BlasStatus::not_supported,
                  "of fp8, m, n and k are multiples of 16, for the alignment of all lines");
    }
    // Seen on an H200: those of C and D, and AMAX_D, may be anywhere.
    if (own_.scales[0] % 16 != 0 || own_.scales[1] % 16 != 0) {
      return fail(BlasStatus::not_supported,
                  "A_SCALE_POINTER and B_SCALE_POINTER are aligned to 16 bytes");
    }
    if (own_.largest != 0 && !blas::is_fp8(product_.d.type)) {
      return fail(BlasStatus::not_supported, "AMAX_D is for a D of fp8");
    }
    product_.adds_fast = own_.fast_accumulation != 0;
    AfterProduct& after = product_.after;
    for (std::size_t i = 0; i < after.scales.size(); ++i) {
      after.scales[i] = reinterpret_cast<const void*>(own_.scales[i]);
    }
    after.largest = reinterpret_cast<void*>(own_.largest);
    after.bias_type =
        bias_type(product_.d.type == blas::Type::f16 ? blas::Type::f16 : blas::Type::bf16);
    return true;
  }

  blas::Type bias_type(blas::Type otherwise) const {
    return own_.bias_type < 0 ? otherwise : static_cast<blas::Type>(own_.bias_type);
  }

  const char* call_;
  const MatmulDescription& own_;
  const Layouts& layouts_;
  Product product_;
  BlasStatus status_ = BlasStatus::success;
};

template <class Description>
const Description* seen(const void* description) {
  return static_cast<const Description*>(description);
}

bool is_the_algorithm(const void* algorithm) {
  return std::memcmp(algorithm, &the_algorithm, sizeof the_algorithm) == 0;
}

struct Matmul {
  const void* algorithm;
  const void *alpha, *a, *b, *beta, *c;
  void* d;
  const void* stream;
};

BlasStatus multiply(const MatmulDescription& description, const Layouts& layouts,
                    const Matmul& given) {
  constexpr const char* call = "cublasLtMatmul";
  if (given.algorithm != nullptr && !is_the_algorithm(given.algorithm)) {
    return refuse(BlasStatus::invalid_value, call,
                  "its algorithm is none that cublasLtMatmulAlgoGetHeuristic gave here");
  }
  if (any_null(given.alpha, given.beta)) {
    return refuse(BlasStatus::invalid_value, call, "alpha or beta is a null pointer");
  }
  Checker checker(call, description, layouts);
  auto product = checker.check();
  if (!product) return checker.status();
  const auto mode = static_cast<PointerMode>(description.pointer_mode);
  product->call = call;
  product->stream = given.stream;
  product->a.start = given.a;
  product->b.start = given.b;
  product->c.start = given.c;
  product->d.start = given.d;
  product->alpha = factor_of(product->alpha.type, given.alpha, mode);
  product->beta = factor_of(product->beta.type, given.beta, mode);
  return submit(*product);
}

}  // namespace

extern "C" {

int cublasLtMatmul(void* handle, const void* description, const void* alpha, const void* a,
                   const void* layout_a, const void* b, const void* layout_b, const void* beta,
                   const void* c, const void* layout_c, void* d, const void* layout_d,
                   const void* algorithm, void*, std::size_t, const void* stream) {
  return blas_call_on(handle, [&](const BlasHandle&) {
    if (any_null(description, layout_a, layout_b, layout_c, layout_d)) {
      return BlasStatus::invalid_value;
    }
    const Layouts layouts{seen<MatrixLayout>(layout_a), seen<MatrixLayout>(layout_b),
                          seen<MatrixLayout>(layout_c), seen<MatrixLayout>(layout_d)};
    return multiply(*seen<MatmulDescription>(description), layouts,
                    {algorithm, alpha, a, b, beta, c, d, stream});
  });
}

int cublasLtMatmulAlgoGetHeuristic(void* handle, const void* description, const void* layout_a,
                                   const void* layout_b, const void* layout_c, const void* layout_d,
                                   const void* preference, int asked, Heuristic* results,
                                   int* count) {
  return blas_call_on(handle, [&](const BlasHandle&) {
    if (any_null(description, layout_a, layout_b, layout_c, layout_d, preference) ||
        any_null(results, count) || asked <= 0) {
      return BlasStatus::invalid_value;
    }
    const Layouts layouts{seen<MatrixLayout>(layout_a), seen<MatrixLayout>(layout_b),
                          seen<MatrixLayout>(layout_c), seen<MatrixLayout>(layout_d)};
    Checker checker("cublasLtMatmulAlgoGetHeuristic", *seen<MatmulDescription>(description),
                    layouts);
    *count = 0;
    if (!checker.check()) return checker.status();
    *results = Heuristic{the_algorithm, 0, 0, 1, {}};
    *count = 1;
    return BlasStatus::success;
  });
}

}  // extern "C"
