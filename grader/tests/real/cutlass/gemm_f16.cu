// Half precision: the main loops that sm_90 has, clusters with multicast, layouts, epilogues.
#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;

struct Pingpong : Form {
  using Tile = Shape<_64, _128, _64>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedPingpong;
};
struct Cooperative : Form {
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = cutlass::epilogue::TmaWarpSpecializedCooperative;
};

struct Tn : Form {};
struct TnByOneWarpgroup : Form {
  using MainLoop = cutlass::gemm::KernelTma;
  using Epilogue = cutlass::epilogue::NoSmemWarpSpecialized;
};
struct TnCpAsync : Cooperative {
  using MainLoop = cutlass::gemm::KernelCpAsyncWarpSpecializedCooperative;
  using Epilogue = cutlass::epilogue::NoSmemWarpSpecialized;
  static constexpr int align_a = 4, align_b = 4, k = 164;  // rows of 328 bytes, which TMA refuses
};
struct TnPingpong2x1 : Pingpong {
  using Cluster = Shape<_2, _1, _1>;
};
struct NnCooperative2x2 : Cooperative {
  using Cluster = Shape<_2, _2, _1>;
  using LayoutA = Column;
};
struct NtCooperative1x2 : Cooperative {
  using Cluster = Shape<_1, _2, _1>;
  using LayoutA = Column;
  using LayoutB = Row;
  using LayoutD = Column;
};
struct TtPingpong : Pingpong {
  using LayoutB = Row;
};
struct SumsInHalf : Cooperative {
  using Sum = cutlass::half_t;
  using Cluster = Shape<_2, _1, _1>;
  static constexpr double precision = 1.0 / 128;
};

}  // namespace

int main(int argc, char** argv) {
  return run(
      argc, argv,
      {case_of<Tn>("f16_tn_warp_specialized"), case_of<TnByOneWarpgroup>("f16_tn_tma"),
       case_of<TnCpAsync>("f16_tn_cp_async_cooperative"),
       case_of<TnPingpong2x1>("f16_tn_pingpong_2x1"),
       case_of<NnCooperative2x2>("f16_nn_cooperative_2x2"),
       case_of<NtCooperative1x2>("f16_nt_cooperative_1x2"), case_of<TtPingpong>("f16_tt_pingpong"),
       case_of<SumsInHalf>("f16_sums_in_half_cooperative_2x1")});
}
