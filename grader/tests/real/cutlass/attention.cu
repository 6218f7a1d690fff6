// The forward pass of attention as FlashAttention does it, in CuTe's manner: TMA brings blocks of K
// and V into two stages, S = Q K^T by wgmma from shared memory, the softmax is made as the blocks
// come, and O += P V takes P from the registers that it was computed in.
#include <cutlass/arch/barrier.h>

#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>

#include "cutlass_test.h"

// A name of its own: nvcc's stubs of kernels in a nameless namespace collide with the one in cute.
namespace attention_test {

using namespace cute;
using namespace cutlass_test;
using Half = cute::half_t;

constexpr int heads = 2, queries = 128, keys = 176, dimension = 64;
constexpr int block = 64;  // of queries, and of keys
constexpr int stages = 2;
constexpr float log2_e = 1.44269504F, scale = 0.125F;

using TileLayout =
    decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Half>{}, Shape<Int<block>, Int<dimension>>{}));
using KeysLayout = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Half>{},
                                          Shape<Int<block>, Int<dimension>, Int<stages>>{}));
// V is the second factor of P V, whose rows run along the dimension: transposed.
using ValuesLayout = decltype(tile_to_shape(GMMA::Layout_MN_SW128_Atom<Half>{},
                                            Shape<Int<dimension>, Int<block>, Int<stages>>{}));

struct Storage {
  alignas(1024) ArrayEngine<Half, cosize_v<TileLayout>> q;
  alignas(1024) ArrayEngine<Half, cosize_v<KeysLayout>> k;
  alignas(1024) ArrayEngine<Half, cosize_v<ValuesLayout>> v;
  alignas(8) std::uint64_t q_full, full[stages], empty[stages];
};

using Full = cutlass::arch::ClusterTransactionBarrier;
using Empty = cutlass::arch::ClusterBarrier;

// 2^x of whole and fused steps: ex2.approx may differ from one machine to the next.
__device__ float exp2_of(float x) {
  x = fmaxf(x, -126.0F);
  const float whole = rintf(x), rest = __fadd_rn(x, -whole);
  float y = __fmaf_rn(0.00133336F, rest, 0.00961813F);
  y = __fmaf_rn(y, rest, 0.0555041F);
  y = __fmaf_rn(y, rest, 0.240226507F);
  y = __fmaf_rn(y, rest, 0.693147182F);
  y = __fmaf_rn(y, rest, 1.0F);
  return __int_as_float(__float_as_int(y) + (static_cast<int>(whole) << 23));
}

// The four lanes that hold one row between them.
template <class Operation>
__device__ float over_row(float x, Operation operation) {
  x = operation(x, __shfl_xor_sync(0xFFFFFFFF, x, 1));
  return operation(x, __shfl_xor_sync(0xFFFFFFFF, x, 2));
}

template <bool is_causal, class TmaQ, class TmaK, class TmaV>
__global__ __launch_bounds__(128) void attention(const __grid_constant__ TmaQ tma_q,
                                                 const __grid_constant__ TmaK tma_k,
                                                 const __grid_constant__ TmaV tma_v,
                                                 float* output) {
  extern __shared__ char memory[];
  Storage& shared = *reinterpret_cast<Storage*>(memory);
  const int first_query = blockIdx.x * block, head = blockIdx.y;
  Tensor smem_q = make_tensor(make_smem_ptr(shared.q.begin()), TileLayout{});
  Tensor smem_k = make_tensor(make_smem_ptr(shared.k.begin()), KeysLayout{});
  Tensor smem_v = make_tensor(make_smem_ptr(shared.v.begin()), ValuesLayout{});

  Tensor tensor_q = tma_q.get_tma_tensor(make_shape(queries, dimension, heads));
  Tensor tensor_k = tma_k.get_tma_tensor(make_shape(keys, dimension, heads));
  Tensor tensor_v = tma_v.get_tma_tensor(make_shape(dimension, keys, heads));
  Tensor tiles_q = local_tile(tensor_q(_, _, head), Shape<Int<block>, Int<dimension>>{},
                              make_coord(blockIdx.x, 0));
  Tensor tiles_k =
      local_tile(tensor_k(_, _, head), Shape<Int<block>, Int<dimension>>{}, make_coord(_, 0));
  Tensor tiles_v =
      local_tile(tensor_v(_, _, head), Shape<Int<dimension>, Int<block>>{}, make_coord(0, _));
  auto [from_q, to_q] = tma_partition(tma_q, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(smem_q),
                                      group_modes<0, 2>(tiles_q));
  auto [from_k, to_k] = tma_partition(tma_k, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(smem_k),
                                      group_modes<0, 2>(tiles_k));
  auto [from_v, to_v] = tma_partition(tma_v, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(smem_v),
                                      group_modes<0, 2>(tiles_v));
  constexpr int tile_bytes = block * dimension * sizeof(Half);

  const bool is_producer = threadIdx.x == 0;
  if (is_producer) {
    Full::init(&shared.q_full, 1);
    for (int stage = 0; stage < stages; ++stage) {
      Full::init(&shared.full[stage], 1);
      Empty::init(&shared.empty[stage], 128);
    }
    cutlass::arch::fence_barrier_init();
  }
  __syncthreads();

  const int last_key = is_causal ? min(keys, first_query + block) : keys;
  const int blocks = (last_key + block - 1) / block;
  const auto load = [&, to_k = to_k, from_k = from_k, to_v = to_v, from_v = from_v](int i) {
    const int stage = i % stages;
    Full::arrive_and_expect_tx(&shared.full[stage], 2 * tile_bytes);
    copy(tma_k.with(shared.full[stage]), from_k(_, i), to_k(_, stage));
    copy(tma_v.with(shared.full[stage]), from_v(_, i), to_v(_, stage));
  };
  if (is_producer) {
    Full::arrive_and_expect_tx(&shared.q_full, tile_bytes);
    copy(tma_q.with(shared.q_full), from_q, to_q);
    for (int i = 0; i < stages && i < blocks; ++i) load(i);
  }

  auto product_s = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto product_o = make_tiled_mma(SM90_64x64x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>{});
  auto mine_s = product_s.get_thread_slice(threadIdx.x);
  auto mine_o = product_o.get_thread_slice(threadIdx.x);
  Tensor fragment_q = mine_s.make_fragment_A(mine_s.partition_A(smem_q));
  Tensor fragment_k = mine_s.make_fragment_B(mine_s.partition_B(smem_k));
  Tensor fragment_v = mine_o.make_fragment_B(mine_o.partition_B(smem_v));
  Tensor fragment_s = partition_fragment_C(product_s, Shape<Int<block>, Int<block>>{});
  Tensor fragment_o = partition_fragment_C(product_o, Shape<Int<block>, Int<dimension>>{});
  // A thread's part of S in its order is its part of A: columns in pairs, rows g and g + 8, next
  // columns.
  Tensor fragment_p =
      make_tensor<Half>(partition_shape_A(product_o, Shape<Int<block>, Int<block>>{}));
  CUTE_STATIC_ASSERT_V(size(fragment_p) == size(fragment_s));
  Tensor places = mine_s.partition_C(make_identity_tensor(Shape<Int<block>, Int<block>>{}));
  clear(fragment_o);
  float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};

  Full::wait(&shared.q_full, 0);
  for (int i = 0; i < blocks; ++i) {
    const int stage = i % stages;
    Full::wait(&shared.full[stage], i / stages % 2);
    clear(fragment_s);
    warpgroup_fence_operand(fragment_s);
    warpgroup_arrive();
    cute::gemm(product_s, fragment_q, fragment_k(_, _, _, stage), fragment_s);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    warpgroup_fence_operand(fragment_s);

    float now[2] = {largest[0], largest[1]};
    CUTE_UNROLL
    for (int j = 0; j < size(fragment_s); ++j) {
      const int key = i * block + get<1>(places(j)), query = first_query + get<0>(places(j));
      const bool is_hidden = key >= keys || (is_causal && key > query);
      fragment_s(j) = is_hidden ? -INFINITY : __fmul_rn(fragment_s(j), scale * log2_e);
      now[j / 2 % 2] = fmaxf(now[j / 2 % 2], fragment_s(j));
    }
    CUTE_UNROLL
    for (int row = 0; row < 2; ++row) {
      now[row] = over_row(now[row], [](float a, float b) { return fmaxf(a, b); });
      const float shrink = exp2_of(__fadd_rn(largest[row], -now[row]));
      largest[row] = now[row];
      sum[row] = __fmul_rn(sum[row], shrink);
      CUTE_UNROLL
      for (int j = 0; j < size(fragment_o); ++j) {
        if (j / 2 % 2 == row) fragment_o(j) = __fmul_rn(fragment_o(j), shrink);
      }
    }
    CUTE_UNROLL
    for (int j = 0; j < size(fragment_s); ++j) {
      const int row = j / 2 % 2;
      const float p =
          fragment_s(j) == -INFINITY ? 0.0F : exp2_of(__fadd_rn(fragment_s(j), -largest[row]));
      sum[row] = __fadd_rn(sum[row], p);
      fragment_p(j) = Half(p);
    }

    warpgroup_fence_operand(fragment_p);
    warpgroup_fence_operand(fragment_o);
    warpgroup_arrive();
    cute::gemm(product_o, fragment_p, fragment_v(_, _, _, stage), fragment_o);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    warpgroup_fence_operand(fragment_o);

    Empty::arrive(&shared.empty[stage]);
    if (is_producer && i + stages < blocks) {
      Empty::wait(&shared.empty[stage], i / stages % 2);
      load(i + stages);
    }
    __syncwarp();
  }

  CUTE_UNROLL
  for (int row = 0; row < 2; ++row) {
    sum[row] = over_row(sum[row], [](float a, float b) { return __fadd_rn(a, b); });
  }
  Tensor outputs = mine_o.partition_C(make_identity_tensor(Shape<Int<block>, Int<dimension>>{}));
  float* const to = output + (std::size_t{1} * head * queries + first_query) * dimension;
  CUTE_UNROLL
  for (int j = 0; j < size(fragment_o); ++j) {
    to[get<0>(outputs(j)) * dimension + get<1>(outputs(j))] =
        __fdiv_rn(fragment_o(j), sum[j / 2 % 2]);
  }
}

// One row of the result, in double precision.
std::vector<Expected> expected_row(const Half* q, const Half* k, const Half* v, int visible) {
  std::vector<double> weights;
  double sum = 0;
  for (int key = 0; key < visible; ++key) {
    double product = 0;
    for (int i = 0; i < dimension; ++i) {
      product += static_cast<double>(static_cast<float>(q[i])) *
                 static_cast<float>(k[key * dimension + i]);
    }
    weights.push_back(std::exp(product * scale));
    sum += weights.back();
  }
  std::vector<Expected> row;
  for (int i = 0; i < dimension; ++i) {
    double value = 0, size = 0;
    for (int key = 0; key < visible; ++key) {
      const double term = weights[key] / sum * static_cast<float>(v[key * dimension + i]);
      value += term;
      size += std::abs(term);
    }
    row.push_back({value, size / 256});
  }
  return row;
}

template <bool is_causal>
void attend() {
  const auto q = numbers<Half>(std::size_t{heads} * queries * dimension, 1);
  const auto k = numbers<Half>(std::size_t{heads} * keys * dimension, 2);
  const auto v = numbers<Half>(std::size_t{heads} * keys * dimension, 3);
  const DeviceArray<Half> device_q(q), device_k(k), device_v(v);
  const DeviceArray<float> device_o(q.size());
  const auto along_dimension = [](const Half* data, int rows) {
    return make_tensor(make_gmem_ptr(data), make_shape(rows, dimension, heads),
                       make_stride(Int<dimension>{}, Int<1>{}, rows * dimension));
  };
  auto tma_q = make_tma_atom(SM90_TMA_LOAD{}, along_dimension(device_q.data(), queries),
                             TileLayout{}, Shape<Int<block>, Int<dimension>>{});
  auto tma_k = make_tma_atom(SM90_TMA_LOAD{}, along_dimension(device_k.data(), keys),
                             KeysLayout{}(_, _, Int<0>{}), Shape<Int<block>, Int<dimension>>{});
  Tensor values = make_tensor(make_gmem_ptr(static_cast<const Half*>(device_v.data())),
                              make_shape(dimension, keys, heads),
                              make_stride(Int<1>{}, Int<dimension>{}, keys * dimension));
  auto tma_v = make_tma_atom(SM90_TMA_LOAD{}, values, ValuesLayout{}(_, _, Int<0>{}),
                             Shape<Int<dimension>, Int<block>>{});
  auto* const kernel = &attention<is_causal, decltype(tma_q), decltype(tma_k), decltype(tma_v)>;
  const int bytes = static_cast<int>(sizeof(Storage));
  CHECK_OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<dim3(queries / block, heads), 128, bytes>>>(tma_q, tma_k, tma_v, device_o.data());
  CHECK_OK(cudaDeviceSynchronize());

  const auto got = device_o.values();
  print_digest(got);
  std::vector<Expected> expected;
  for (int head = 0; head < heads; ++head) {
    for (int query = 0; query < queries; ++query) {
      const std::size_t matrix = std::size_t{1} * head * keys * dimension;
      const auto row = expected_row(&q[(std::size_t{1} * head * queries + query) * dimension],
                                    &k[matrix], &v[matrix], is_causal ? query + 1 : keys);
      expected.insert(expected.end(), row.begin(), row.end());
    }
  }
  expect_near(got, expected);
}

}  // namespace attention_test

int main(int argc, char** argv) {
  using attention_test::attend;
  return cutlass_test::run(argc, argv,
                           {{"attention", attend<false>}, {"attention_causal", attend<true>}});
}
