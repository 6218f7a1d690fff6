// How warps reach global memory, one way a kernel. What ncu counts for each of them on an H200 is
// in ncu-h200.json; `tmaemu --stats=json` is to count the same.
#include "cuda-check.cuh"

constexpr int threads = 128;
constexpr int blocks = 4;
constexpr int count = threads * blocks;

__device__ int global_index() {
  return static_cast<int>(blockIdx.x * threads + threadIdx.x);
}

__global__ void copy_coalesced(const float* in, float* out) {
  out[global_index()] = in[global_index()];
}

__global__ void copy_reversed(const float* in, float* out) {
  out[count - 1 - global_index()] = in[count - 1 - global_index()];
}

// Warps straddle one sector more than they need.
__global__ void copy_misaligned(const float* in, float* out) {
  out[global_index()] = in[global_index() + 1];
}

__global__ void copy_every_other(const float* in, float* out) {
  out[global_index()] = in[2 * global_index()];
}

// A column of a matrix: a sector each lane.
__global__ void copy_strided(const float* in, float* out) {
  out[32 * global_index()] = in[32 * global_index()];
}

__global__ void copy_bytes(const char* in, char* out) {
  out[global_index()] = in[global_index()];
}

__global__ void copy_doubles(const double* in, double* out) {
  out[global_index()] = in[global_index()];
}

__global__ void copy_vectors(const float4* in, float4* out) {
  out[global_index()] = in[global_index()];
}

// Three loads and three stores, each with 12 bytes from lane to lane.
__global__ void copy_triples(const float3* in, float3* out) {
  out[global_index()] = in[global_index()];
}

__global__ void read_one_word(const float* in, float* out) {
  out[global_index()] = in[0];
}

__global__ void copy_by_odd_lanes(const float* in, float* out) {
  if (threadIdx.x % 2 == 1) out[global_index()] = in[global_index()];
}

// Lanes go two ways, with different masks and addresses.
__global__ void copy_two_ways(const float* in, float* out) {
  const int i = global_index();
  if (threadIdx.x % 32 < 5) {
    out[i] = in[8 * i];
  } else {
    out[i] = in[i] + 1;
  }
}

// Lanes of different quarters of a warp read the same 16 bytes.
__global__ void read_one_vector(const float4* in, float4* out) {
  out[global_index()] = in[0];
}

__global__ void read_one_double_each_pair(const double* in, double* out) {
  out[global_index()] = in[global_index() / 2 * 5];
}

// Scattered reads; several lanes may share a sector.
template <typename T>
__device__ void gather(const T* in, T* out) {
  const unsigned hashed = static_cast<unsigned>(global_index()) * 2654435761u;
  out[global_index()] = in[hashed >> 24];
}
__global__ void gather_floats(const float* in, float* out) {
  gather(in, out);
}
__global__ void gather_doubles(const double* in, double* out) {
  gather(in, out);
}
__global__ void gather_vectors(const float4* in, float4* out) {
  gather(in, out);
}
__global__ void scatter_vectors(const float4* in, float4* out) {
  const unsigned hashed = static_cast<unsigned>(global_index()) * 2654435761u;
  out[hashed >> 24] = in[global_index()];
}

__global__ void add_atomically(int* out, int* before) {
  before[global_index()] = atomicAdd(&out[global_index()], 1);
}

__global__ void reduce_atomically(int* out) {
  atomicAdd(&out[global_index()], 1);
}

__global__ void reduce_strided(int* out) {
  atomicAdd(&out[8 * global_index()], global_index());
}

int main() {
  constexpr size_t bytes = size_t{64} * count * sizeof(float);
  void *in, *out;
  cuda_check(cudaMalloc(&in, bytes));
  cuda_check(cudaMalloc(&out, bytes));
  cuda_check(cudaMemset(in, 0, bytes));
  cuda_check(cudaMemset(out, 0, bytes));
  const auto* floats = static_cast<const float*>(in);
  const auto* doubles = static_cast<const double*>(in);
  const auto* vectors = static_cast<const float4*>(in);
  auto* results = static_cast<float*>(out);
  auto* double_results = static_cast<double*>(out);
  auto* vector_results = static_cast<float4*>(out);
  auto* numbers = static_cast<int*>(out);
  copy_coalesced<<<blocks, threads>>>(floats, results);
  copy_reversed<<<blocks, threads>>>(floats, results);
  copy_misaligned<<<blocks, threads>>>(floats, results);
  copy_every_other<<<blocks, threads>>>(floats, results);
  copy_strided<<<blocks, threads>>>(floats, results);
  copy_bytes<<<blocks, threads>>>(static_cast<const char*>(in), static_cast<char*>(out));
  copy_doubles<<<blocks, threads>>>(doubles, double_results);
  copy_vectors<<<blocks, threads>>>(vectors, vector_results);
  copy_triples<<<blocks, threads>>>(static_cast<const float3*>(in), static_cast<float3*>(out));
  read_one_word<<<blocks, threads>>>(floats, results);
  copy_by_odd_lanes<<<blocks, threads>>>(floats, results);
  copy_two_ways<<<blocks, threads>>>(floats, results);
  read_one_vector<<<blocks, threads>>>(vectors, vector_results);
  read_one_double_each_pair<<<blocks, threads>>>(doubles, double_results);
  gather_floats<<<blocks, threads>>>(floats, results);
  gather_doubles<<<blocks, threads>>>(doubles, double_results);
  gather_vectors<<<blocks, threads>>>(vectors, vector_results);
  scatter_vectors<<<blocks, threads>>>(vectors, vector_results);
  add_atomically<<<blocks, threads>>>(numbers, static_cast<int*>(in));
  reduce_atomically<<<blocks, threads>>>(numbers);
  reduce_strided<<<blocks, threads>>>(numbers);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(in));
  cuda_check(cudaFree(out));
}
