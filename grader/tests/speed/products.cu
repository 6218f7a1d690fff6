// wgmma under the emulator, timed for `make bench-emulator`: products alone, and a matrix product
// whose tiles come by TMA. Prints what the fastest launch took as JSON.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tensor-map.cuh"
#include "timing.h"

namespace {

using timing::check;
using timing::cpu_seconds;
using timing::fail;

constexpr int ROWS = 64;      // of a warpgroup's part of a tile
constexpr int COLUMNS = 256;  // of a tile
constexpr int DEPTH = 64;     // of a stage: 128 bytes of bf16
constexpr int STEP = 16;      // of one wgmma
constexpr int STAGES = 4;
constexpr int CONSUMERS = 2;  // warpgroups
constexpr int TILE_ROWS = CONSUMERS * ROWS;

__device__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
// Rows of 128 bytes with a swizzle of 128 bytes, 8 after 8.
__device__ uint64_t matrix(const __nv_bfloat16* tile) {
  constexpr uint64_t eight_rows = 1024 / 16, swizzle_128 = 1;
  return shared_address(tile) / 16 | eight_rows << 32 | swizzle_128 << 62;
}

__device__ void fence_registers() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// D += A * B, of 64 x 16 and 16 x 256 elements.
__device__ void multiply(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
      "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
      "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "
      "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
      "%123, %124, %125, %126, %127"
      "}, %128, %129, adds, 1, 1, 0, 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b)
      : "memory");
}

// The same of 64 x 16 and 16 x 8: what the checker and the engine do for each wgmma counts most.
__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, adds, 1, 1, "
      "0, "
      "0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b));
}

// All of a stage.
template <int size>
__device__ void multiply_stage(float (&d)[size], const __nv_bfloat16* a, const __nv_bfloat16* b) {
  constexpr uint64_t step_units = STEP * sizeof(__nv_bfloat16) / 16;
  fence_registers();
  for (uint64_t step = 0; step < DEPTH / STEP; ++step) {
    multiply(d, matrix(a) + step * step_units, matrix(b) + step * step_units);
  }
  commit_products();
  wait_products();
}

extern __shared__ __align__(1024) __nv_bfloat16 shared_tiles[];

// `size`: registers of D that a thread has.
template <int size>
__global__ void multiply_alone(float* result, int stages) {
  for (int i = threadIdx.x; i < (ROWS + COLUMNS) * DEPTH; i += 128) {
    shared_tiles[i] = __float2bfloat16(static_cast<float>(i % 7 - 3));
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[size] = {};
  for (int i = 0; i < stages; ++i) multiply_stage(d, shared_tiles, shared_tiles + ROWS * DEPTH);
  float sum = 0;
  for (const float each : d) sum += each;
  result[threadIdx.x] = sum;
}

struct Stage {
  __nv_bfloat16 a[TILE_ROWS * DEPTH];
  __nv_bfloat16 b[COLUMNS * DEPTH];
};

__device__ void wait_phase(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n.reg .pred done;\nAGAIN:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(
          shared_address(barrier)),
      "r"(parity)
      : "memory");
}
__device__ void load_tile(void* to, const CUtensorMap* map, int column, int row, uint64_t* full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(column), "r"(row), "r"(shared_address(full))
      : "memory");
}

// C = A * B', each with k along its rows. A warp of its own loads.
__global__ __launch_bounds__(CONSUMERS * 128 +
                             32) void multiply_matrices(const __grid_constant__ CUtensorMap a,
                                                        const __grid_constant__ CUtensorMap b,
                                                        float* c, int n, int k) {
  Stage* const stages = reinterpret_cast<Stage*>(shared_tiles);
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[i])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&empty[i])),
                   "r"(CONSUMERS));
    }
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  const int row = blockIdx.y * TILE_ROWS, column = blockIdx.x * COLUMNS;
  if (threadIdx.x >= CONSUMERS * 128) {
    if (threadIdx.x % 32 != 0) return;
    for (int i = 0; i < k / DEPTH; ++i) {
      const int stage = i % STAGES;
      wait_phase(&empty[stage], i / STAGES % 2 ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                       shared_address(&full[stage])),
                   "r"(static_cast<uint32_t>(sizeof(Stage)))
                   : "memory");
      load_tile(stages[stage].a, &a, i * DEPTH, row, &full[stage]);
      load_tile(stages[stage].b, &b, i * DEPTH, column, &full[stage]);
    }
    return;
  }
  const int warpgroup = threadIdx.x / 128;
  float d[128] = {};
  for (int i = 0; i < k / DEPTH; ++i) {
    const int stage = i % STAGES;
    wait_phase(&full[stage], i / STAGES % 2);
    multiply_stage(d, stages[stage].a + warpgroup * ROWS * DEPTH, stages[stage].b);
    if (threadIdx.x % 128 == 0) {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&empty[stage]))
                   : "memory");
    }
  }
  const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 128; ++i) {
    const int at_row = row + warpgroup * ROWS + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    const int at_column = column + i / 4 * 8 + lane % 4 * 2 + i % 2;
    c[static_cast<size_t>(at_row) * n + at_column] = d[i];
  }
}

template <class Launch>
void measure(int runs, double products, Launch launch) {
  double seconds = 1e9, of_cpu = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    launch();
    check(cudaDeviceSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    of_cpu = std::min(of_cpu, cpu_seconds() - cpu_start);
    seconds = std::min(seconds, took.count());
  }
  std::printf("{\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"products\": %.0f}\n", seconds, of_cpu,
              products);
}

template <class T>
T* device_array(size_t count) {
  T* array = nullptr;
  check(cudaMalloc(&array, count * sizeof(T)));
  return array;
}

template <int size>
void run_alone(int runs, int stages) {
  constexpr int columns = size * 2;
  const int bytes = (ROWS + COLUMNS) * DEPTH * static_cast<int>(sizeof(__nv_bfloat16));
  check(cudaFuncSetAttribute(multiply_alone<size>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             bytes));
  float* const result = device_array<float>(128);
  measure(runs, static_cast<double>(stages) * ROWS * columns * DEPTH,
          [&] { multiply_alone<size><<<1, 128, bytes>>>(result, stages); });
}

// Small integers, whose sums are exact.
__nv_bfloat16 element(int row, int column) {
  return __float2bfloat16(static_cast<float>((row * 3 + column * 5) % 8 - 3));
}

void run_matrices(int runs, int m, int n, int k) {
  std::vector<__nv_bfloat16> a(static_cast<size_t>(m) * k), b(static_cast<size_t>(n) * k);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = element(static_cast<int>(i / k), static_cast<int>(i % k));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = element(static_cast<int>(i % k), static_cast<int>(i / k));
  __nv_bfloat16* const a_there = device_array<__nv_bfloat16>(a.size());
  __nv_bfloat16* const b_there = device_array<__nv_bfloat16>(b.size());
  float* const c_there = device_array<float>(static_cast<size_t>(m) * n);
  check(cudaMemcpy(a_there, a.data(), a.size() * sizeof a[0], cudaMemcpyDefault));
  check(cudaMemcpy(b_there, b.data(), b.size() * sizeof b[0], cudaMemcpyDefault));
  const TensorMapOptions options{.swizzle = CU_TENSOR_MAP_SWIZZLE_128B};
  const int row_bytes = k * static_cast<int>(sizeof a[0]);
  const CUtensorMap a_map =
      make_tensor_map<__nv_bfloat16, 2>(a_there, {k, m}, {row_bytes}, {DEPTH, TILE_ROWS}, options);
  const CUtensorMap b_map =
      make_tensor_map<__nv_bfloat16, 2>(b_there, {k, n}, {row_bytes}, {DEPTH, COLUMNS}, options);
  constexpr int bytes = STAGES * sizeof(Stage);
  check(
      cudaFuncSetAttribute(multiply_matrices, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 grid(n / COLUMNS, m / TILE_ROWS);
  measure(runs, static_cast<double>(m) * n * k, [&] {
    multiply_matrices<<<grid, CONSUMERS * 128 + 32, bytes>>>(a_map, b_map, c_there, n, k);
  });
  std::vector<float> c(static_cast<size_t>(m) * n);
  check(cudaMemcpy(c.data(), c_there, c.size() * sizeof c[0], cudaMemcpyDefault));
  for (size_t i = 0; i < c.size(); i += 4099) {
    float sum = 0;
    for (int j = 0; j < k; ++j) {
      sum += __bfloat162float(a[i / n * k + j]) * __bfloat162float(b[i % n * k + j]);
    }
    if (c[i] != sum) fail("the product is wrong");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) fail("usage: tmaemu products CASE RUNS");
  const std::string name = arguments[1];
  const int runs = std::atoi(arguments[2]);
  if (name == "alone") {
    run_alone<128>(runs, 256);
  } else if (name == "small") {
    run_alone<4>(runs, 4096);
  } else if (name == "square") {
    run_matrices(runs, 1024, 1024, 1024);
  } else if (name == "flat") {
    run_matrices(runs, 4096, 4096, 64);
  } else {
    fail("there is no such case");
  }
}
