// How warps reach shared memory, one way a kernel: transposes with and without bank conflicts,
// vectors, broadcasts, narrow elements, atomics, matrix fragments, asynchronous copies.
#include <cuda_pipeline.h>

#include "cuda-check.cuh"

constexpr int side = 32;  // of a tile, and lanes of a warp
constexpr int rows = 4;   // warps of a CTA

// Each warp writes rows of the tile and reads columns of it. PITCH: words from row to row.
template <int PITCH>
__device__ void transpose(const float* in, float* out) {
  __shared__ float tile[side][PITCH];
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < side; y += rows) tile[y][x] = in[y * side + x];
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < side; y += rows) out[y * side + x] = tile[x][y];
}

__global__ void transpose_with_conflicts(const float* in, float* out) {
  transpose<side>(in, out);
}

__global__ void transpose_padded(const float* in, float* out) {
  transpose<side + 1>(in, out);
}

// No byte is wasted: the column is XORed with the row.
__global__ void transpose_swizzled(const float* in, float* out) {
  __shared__ float tile[side][side];
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < side; y += rows)
    tile[y][x ^ y] = in[y * side + x];
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < side; y += rows) {
    out[y * side + x] = tile[x][y ^ x];
  }
}

// One warp stores its lanes' elements in order, and reads them at other indices.
template <typename T, typename Index>
__device__ void permute(const T* in, T* out, Index index) {
  __shared__ T elements[8 * side];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 8 * side; i += side) elements[i] = in[i];
  __syncwarp();
  out[lane] = elements[index(lane)];
}

__global__ void read_every_other_word(const float* in, float* out) {
  permute(in, out, [](int lane) { return 2 * lane; });
}
__global__ void read_every_fourth_word(const float* in, float* out) {
  permute(in, out, [](int lane) { return 4 * lane; });
}
__global__ void read_one_word(const float* in, float* out) {
  permute(in, out, [](int) { return 7; });
}
// The halves of the warp read different words of one bank.
__global__ void read_one_word_each_half(const float* in, float* out) {
  permute(in, out, [](int lane) { return 7 + lane / 16 * 32; });
}
__global__ void read_bytes(const char* in, char* out) {
  permute(in, out, [](int lane) { return lane; });
}
__global__ void read_shorts_backward(const short* in, short* out) {
  permute(in, out, [](int lane) { return 31 - lane; });
}
__global__ void read_doubles(const double* in, double* out) {
  permute(in, out, [](int lane) { return lane; });
}
__global__ void read_every_other_double(const double* in, double* out) {
  permute(in, out, [](int lane) { return 2 * lane; });
}
__global__ void read_vectors(const float4* in, float4* out) {
  permute(in, out, [](int lane) { return lane; });
}
__global__ void read_every_other_vector(const float4* in, float4* out) {
  permute(in, out, [](int lane) { return 2 * lane; });
}
// A column of 16-byte chunks in rows of 128 bytes, as a tensor tile has it without swizzle.
__global__ void read_column_of_vectors(const float4* in, float4* out) {
  permute(in, out, [](int lane) { return 8 * lane; });
}

__global__ void read_by_odd_lanes(const float* in, float* out) {
  __shared__ float elements[2 * side];
  const int lane = static_cast<int>(threadIdx.x);
  elements[lane] = in[lane];
  elements[side + lane] = in[side + lane];
  __syncwarp();
  if (lane % 2 == 1) out[lane] = elements[2 * lane];
}

__global__ void exchange_atomically(const int* in, int* out) {
  __shared__ int sums[side];
  const int lane = static_cast<int>(threadIdx.x);
  sums[lane] = 0;
  __syncwarp();
  const int before = atomicExch(&sums[in[lane] + lane], lane);
  __syncwarp();
  out[lane] = sums[lane] + before;
}

__global__ void add_atomically(const int* in, int* out) {
  __shared__ int sums[side];
  const int lane = static_cast<int>(threadIdx.x);
  sums[lane] = 0;
  __syncwarp();
  atomicAdd(&sums[(in[lane] + lane) % 8], lane);
  __syncwarp();
  out[lane] = sums[lane];
}

// PITCH: bytes from row to row of the matrices. Rows of 16 bytes, eight a matrix, four matrices.
template <int PITCH>
__device__ void load_matrices(const int4* in, unsigned* out) {
  __shared__ alignas(16) char tile[side * PITCH];
  const int lane = static_cast<int>(threadIdx.x);
  auto* row = reinterpret_cast<int4*>(tile + lane * PITCH);
  *row = in[lane];
  __syncwarp();
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
  out[lane] = a ^ b ^ c ^ d;
}
__global__ void load_matrices_in_a_row(const int4* in, unsigned* out) {
  load_matrices<16>(in, out);
}
__global__ void load_matrices_with_conflicts(const int4* in, unsigned* out) {
  load_matrices<128>(in, out);
}

__global__ void copy_asynchronously(const float4* in, float4* out) {
  __shared__ float4 elements[side];
  const int lane = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&elements[lane], &in[lane], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[lane] = elements[lane];
}

int main() {
  constexpr size_t bytes = size_t{64} << 10;
  void *in, *out;
  cuda_check(cudaMalloc(&in, bytes));
  cuda_check(cudaMalloc(&out, bytes));
  cuda_check(cudaMemset(in, 0, bytes));
  const auto* floats = static_cast<const float*>(in);
  const auto* doubles = static_cast<const double*>(in);
  const auto* vectors = static_cast<const float4*>(in);
  const auto* numbers = static_cast<const int*>(in);
  const auto* matrices = static_cast<const int4*>(in);
  auto* results = static_cast<float*>(out);
  const dim3 tile(side, rows);
  transpose_with_conflicts<<<1, tile>>>(floats, results);
  transpose_padded<<<1, tile>>>(floats, results);
  transpose_swizzled<<<1, tile>>>(floats, results);
  read_every_other_word<<<1, side>>>(floats, results);
  read_every_fourth_word<<<1, side>>>(floats, results);
  read_one_word<<<1, side>>>(floats, results);
  read_one_word_each_half<<<1, side>>>(floats, results);
  read_bytes<<<1, side>>>(static_cast<const char*>(in), static_cast<char*>(out));
  read_shorts_backward<<<1, side>>>(static_cast<const short*>(in), static_cast<short*>(out));
  read_doubles<<<1, side>>>(doubles, static_cast<double*>(out));
  read_every_other_double<<<1, side>>>(doubles, static_cast<double*>(out));
  read_vectors<<<1, side>>>(vectors, static_cast<float4*>(out));
  read_every_other_vector<<<1, side>>>(vectors, static_cast<float4*>(out));
  read_column_of_vectors<<<1, side>>>(vectors, static_cast<float4*>(out));
  read_by_odd_lanes<<<1, side>>>(floats, results);
  exchange_atomically<<<1, side>>>(numbers, static_cast<int*>(out));
  add_atomically<<<1, side>>>(numbers, static_cast<int*>(out));
  load_matrices_in_a_row<<<1, side>>>(matrices, static_cast<unsigned*>(out));
  load_matrices_with_conflicts<<<1, side>>>(matrices, static_cast<unsigned*>(out));
  copy_asynchronously<<<1, side>>>(vectors, static_cast<float4*>(out));
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(in));
  cuda_check(cudaFree(out));
}
