// e4m3, e5m2 and s8: sums that are promoted as they grow, or in the tensor core alone; whole
// numbers, to s32 and to s8; from registers, s8 by bf16.
#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;
namespace epilogue = cutlass::epilogue;

using E4m3 = cutlass::float_e4m3_t;
struct E4m3Cooperative : Of<E4m3> {
  using Tile = Shape<_128, _128, _128>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  static constexpr int k = 288;
  static constexpr double precision = 1.0 / 256;
};
struct E4m3E5m2Fast : E4m3Cooperative {
  using B = cutlass::float_e5m2_t;
  using Tile = Shape<_64, _128, _128>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedPingpongFP8FastAccum;
  using Epilogue = epilogue::TmaWarpSpecialized;
  using Cluster = Shape<_1, _1, _1>;
};

struct S8 : Of<std::int8_t> {
  using Sum = std::int32_t;
  using C = std::int32_t;
  using D = std::int32_t;
  using Tile = Shape<_128, _128, _128>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
};
struct S8Pingpong : S8 {
  using D = std::int8_t;
  using C = std::int8_t;
  using Tile = Shape<_64, _128, _128>;
  using Cluster = Shape<_2, _2, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
  static double activation(double x) { return std::fmin(std::fmax(x, -128), 127); }
};

using Bf16 = cutlass::bfloat16_t;
struct S8TimesBf16 : Of<std::int8_t> {
  using B = Bf16;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using C = float;
  using D = float;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
  static constexpr int align_b = 8;
};

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {case_of<E4m3Cooperative>("e4m3_cooperative_2x1"),
              case_of<E4m3E5m2Fast>("e4m3_e5m2_fast_pingpong"), case_of<S8>("s8_cooperative_2x1"),
              case_of<S8Pingpong>("s8_to_s8_pingpong_2x2"),
              case_of<S8TimesBf16>("s8_times_bf16_cooperative")});
}
