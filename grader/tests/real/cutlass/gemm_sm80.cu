// CUTLASS's kernels of the generation before, which sm_90 runs as well: cp.async in stages,
// ldmatrix, and mma.sync or wmma.
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/gemm/device/gemm.h>

#include "product.h"

namespace {

using namespace cutlass_test;
using cutlass::gemm::GemmShape;

template <class T, class Result = T, class Accumulator = float>
struct Form {
  using A = T;
  using B = T;
  using C = Result;
  using D = Result;
  using Sum = Accumulator;
  using LayoutA = Row;
  using LayoutB = Column;
  using LayoutD = Row;
  using Class = cutlass::arch::OpClassTensorOp;
  using Arch = cutlass::arch::Sm80;
  using Block = GemmShape<128, 128, 64 / sizeof(T)>;
  using Warp = GemmShape<64, 64, 64 / sizeof(T)>;
  using Instruction = GemmShape<16, 8, 32 / sizeof(T)>;
  using Epilogue = cutlass::epilogue::thread::LinearCombination<D, 16 / sizeof(D), Sum, Sum>;
  static constexpr int stages = 3, splits = 1;
  static constexpr int m = 136, n = 272, k = 160;
  static constexpr float beta = 0.5F;
  static constexpr double precision = 1.0 / 128;
  static double activation(double x) { return x; }
};

struct F16 : Form<cutlass::half_t> {};
struct Bf16Relu : Form<cutlass::bfloat16_t> {
  using LayoutA = Column;
  using LayoutB = Row;
  using Epilogue = cutlass::epilogue::thread::LinearCombinationRelu<D, 8, float, float>;
  static double activation(double x) { return x < 0 ? 0 : x; }
};
struct Tf32 : Form<cutlass::tfloat32_t, float> {
  using LayoutA = Column;
};
struct S8 : Form<std::int8_t, std::int32_t, std::int32_t> {
  using Epilogue = cutlass::epilogue::thread::LinearCombination<D, 4, Sum, float>;
};
struct F64 : Form<double, double, double> {
  using LayoutB = Row;
  using Block = GemmShape<64, 64, 16>;
  using Warp = GemmShape<32, 32, 16>;
  using Instruction = GemmShape<8, 8, 4>;
  using Epilogue = cutlass::epilogue::thread::LinearCombination<D, 1, Sum, Sum>;
  static constexpr double precision = 1e-12;
};
struct SplitK : Form<cutlass::half_t> {
  static constexpr int splits = 3, k = 384;
};
struct Wmma : Form<cutlass::half_t> {
  using Class = cutlass::arch::OpClassWmmaTensorOp;
  using Arch = cutlass::arch::Sm70;
  using Instruction = GemmShape<16, 16, 16>;
  static constexpr int stages = 2;
};

template <class F>
void gemm() {
  using Operations =
      cutlass::gemm::device::DefaultGemmConfiguration<typename F::Class, typename F::Arch,
                                                      typename F::A, typename F::B, typename F::D,
                                                      typename F::Sum>;
  using Gemm = cutlass::gemm::device::Gemm<
      typename F::A, typename F::LayoutA, typename F::B, typename F::LayoutB, typename F::D,
      typename F::LayoutD, typename F::Sum, typename F::Class, typename F::Arch, typename F::Block,
      typename F::Warp, typename F::Instruction, typename F::Epilogue,
      cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, F::stages,
      Operations::kAlignmentA, Operations::kAlignmentB, (F::splits > 1)>;
  const auto a = numbers<typename F::A>(std::size_t{F::m} * F::k, 1);
  const auto b = numbers<typename F::B>(std::size_t{F::n} * F::k, 2);
  const auto c = numbers<typename F::C>(std::size_t{F::m} * F::n, 3);
  const DeviceArray<typename F::A> device_a(a);
  const DeviceArray<typename F::B> device_b(b);
  const DeviceArray<typename F::C> device_c(c);
  const DeviceArray<typename F::D> device_d(c.size());
  const auto width = [](bool is_row, int rows, int columns) { return is_row ? columns : rows; };
  const int lda = width(std::is_same_v<typename F::LayoutA, Row>, F::m, F::k);
  const int ldb = width(std::is_same_v<typename F::LayoutB, Row>, F::k, F::n);
  using Scalar = typename F::Epilogue::ElementCompute;
  const typename Gemm::Arguments arguments(
      {F::m, F::n, F::k}, {device_a.data(), lda}, {device_b.data(), ldb}, {device_c.data(), F::n},
      {device_d.data(), F::n}, {Scalar(1), Scalar(F::beta)}, F::splits);
  Gemm gemm;
  const DeviceArray<char> workspace(Gemm::get_workspace_size(arguments));
  CHECK(Gemm::can_implement(arguments) == cutlass::Status::kSuccess);
  CHECK(gemm.initialize(arguments, workspace.data()) == cutlass::Status::kSuccess);
  CHECK(gemm() == cutlass::Status::kSuccess);
  CHECK_OK(cudaDeviceSynchronize());

  const auto d = device_d.values();
  print_digest(d);
  std::vector<Expected> expected;
  expect_product<F>(F::m, F::n, F::k, a.data(), b.data(), c.data(), expected);
  expect_near(d, expected);
}

template <class F>
Case case_of(const char* name) {
  return {name, gemm<F>};
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {case_of<F16>("sm80_f16_tn"), case_of<Bf16Relu>("sm80_bf16_relu_nt"),
              case_of<Tf32>("sm80_tf32_nn"), case_of<S8>("sm80_s8_tn"), case_of<F64>("sm80_f64_tt"),
              case_of<SplitK>("sm80_f16_split_k"), case_of<Wmma>("sm70_wmma_f16_tn")});
}
