// bf16 and tf32, and epilogues that do more than scale.
#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;
namespace epilogue = cutlass::epilogue;

using Bf16 = cutlass::bfloat16_t;
struct Bf16Relu : Of<Bf16> {
  using C = Bf16;
  using D = Bf16;
  using Tile = Shape<_64, _128, _64>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedPingpong;
  using Fusion = epilogue::fusion::LinCombEltAct<epilogue::thread::ReLu, D, float, C, float>;
  static constexpr double precision = 1.0 / 128;
  static double activation(double x) { return x < 0 ? 0 : x; }
};
struct Bf16HardSwish : Of<Bf16> {
  using C = Bf16;
  using D = float;
  using LayoutB = Row;
  using Cluster = Shape<_2, _2, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using Fusion = epilogue::fusion::LinCombEltAct<epilogue::thread::HardSwish, D, float, C, float>;
  static constexpr double precision = 1.0 / 128;
  static double activation(double x) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; }
};

using Tf32 = cutlass::tfloat32_t;
struct Tf32Tn : Of<Tf32> {
  using C = float;
  using D = float;
  using Tile = Shape<_128, _128, _32>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
};

// wgmma takes tf32 only along K, so that A goes through registers.
struct Tf32Nn : Tf32Tn {
  using LayoutA = Column;
  using Cluster = Shape<_1, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecialized;
  using Epilogue = epilogue::TmaWarpSpecialized;
};

}  // namespace

int main(int argc, char** argv) {
  return run(
      argc, argv,
      {case_of<Bf16Relu>("bf16_relu_pingpong_2x1"),
       case_of<Bf16HardSwish>("bf16_hard_swish_cooperative_2x2"),
       case_of<Tf32Tn>("tf32_tn_cooperative_2x1"), case_of<Tf32Nn>("tf32_nn_warp_specialized")});
}
