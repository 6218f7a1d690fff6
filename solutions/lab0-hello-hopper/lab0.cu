// Lab 0: hello, Hopper. Know the machine: its limits decide everything later.
//
// No TMA yet. You ask the GPU for its limits, copy an array in two ways, and find out how fast a
// copy can be: the copy roofline, against which all later labs are measured. Four parts:
//   facts        what this GPU has
//   copy         an array, one float per thread
//   vector-copy  an array, 16 bytes per thread
//   gb-per-s     from bytes and milliseconds to the number that everyone quotes
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"

// ---------------------------------------------------------------------------------------------
// Part facts

struct DeviceFacts {
  int sms;                     // streaming multiprocessors
  int max_threads_per_sm;      // resident at once
  int registers_per_sm;        // of 32 bits
  int shared_bytes_per_sm;     // shared memory
  int shared_bytes_per_cta;    // the most that one CTA may request (opt-in)
  int l2_bytes;                // the cache that all SMs share
  int peak_gb_per_s;           // of the memory: 1e9 bytes per second, rounded down
  int bytes_in_flight_per_sm;  // how much must be in flight at the peak; rounded down
};

// From an SM's request to the arrival of the data, when the memory is busy. CUDA has no attribute
// for it; this is what is commonly measured.
inline constexpr int LATENCY_NS = 600;

inline DeviceFacts query_device(int device) {
  const auto attribute = [device](cudaDeviceAttr which) {
    int value;
    cuda_check(cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  DeviceFacts facts{};
  // BEGIN SOLUTION
  //: // TODO: fill in the facts of the device.
  //: //   * attribute(cudaDevAttr...) gives one fact; the list is in the CUDA runtime API's manual,
  //: //     "cudaDeviceAttr".
  //: //   * The memory moves two bits per clock on every wire of its bus: mind the units of the
  //: //     clock (kHz) and of the width (bits). Which intermediate result needs more than 32 bits?
  //: //   * At the peak, all bytes requested during LATENCY_NS are in flight (Little's law), and
  //: //     each SM has its share of them.
  //: (void)attribute;
  facts.sms = attribute(cudaDevAttrMultiProcessorCount);
  facts.max_threads_per_sm = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts.registers_per_sm = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
  facts.shared_bytes_per_sm = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  facts.shared_bytes_per_cta = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  facts.l2_bytes = attribute(cudaDevAttrL2CacheSize);

  const int64_t clocks_per_s = int64_t{attribute(cudaDevAttrMemoryClockRate)} * 1000;
  const int64_t bytes_per_clock = 2 * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  const int64_t bytes_per_s = clocks_per_s * bytes_per_clock;
  facts.peak_gb_per_s = static_cast<int>(bytes_per_s / 1'000'000'000);

  const int64_t bytes_in_flight = bytes_per_s / 1'000'000'000 * LATENCY_NS;
  facts.bytes_in_flight_per_sm = static_cast<int>(bytes_in_flight / facts.sms);
  // END SOLUTION
  return facts;
}

// ---------------------------------------------------------------------------------------------
// Part copy

inline constexpr int COPY_THREADS = 256;

__global__ void copy(float* dest, const float* src, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: thread i of the grid copies float i.
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) dest[i] = src[i];
  // END SOLUTION
}

void launch_copy(float* dest, const float* src, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: launch `copy` with as many CTAs of COPY_THREADS threads as count needs. count may be
  //: // 0, but a grid without CTAs is an error.
  if (count == 0) return;
  const size_t ctas = (count + COPY_THREADS - 1) / COPY_THREADS;
  copy<<<static_cast<unsigned>(ctas), COPY_THREADS>>>(dest, src, count);
  // END SOLUTION
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part vector-copy: dest and src are aligned to 16 bytes; count is any number.

inline constexpr int FLOATS_PER_VECTOR = 4;

__global__ void vector_copy(float* dest, const float* src, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: thread i copies vector i: four floats, as one float4. The up to three
  //: // floats after the last whole vector are copied one by one, by threads that you choose.
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t vectors = count / FLOATS_PER_VECTOR;
  if (i < vectors) {
    reinterpret_cast<float4*>(dest)[i] = reinterpret_cast<const float4*>(src)[i];
  }
  const size_t leftover = vectors * FLOATS_PER_VECTOR + i;
  if (leftover < count) dest[leftover] = src[leftover];
  // END SOLUTION
}

void launch_vector_copy(float* dest, const float* src, size_t count) {
  // BEGIN SOLUTION
  //: // TODO: launch `vector_copy`. Three floats are not a vector, but still need threads.
  if (count == 0) return;
  const size_t vectors = (count + FLOATS_PER_VECTOR - 1) / FLOATS_PER_VECTOR;
  const size_t ctas = (vectors + COPY_THREADS - 1) / COPY_THREADS;
  vector_copy<<<static_cast<unsigned>(ctas), COPY_THREADS>>>(dest, src, count);
  // END SOLUTION
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part gb-per-s

// The bandwidth of a copy of `bytes` bytes that took `milliseconds`, in GB/s: bytes read plus bytes
// written, a GB being 1e9 bytes.
inline double copy_gb_per_s(size_t bytes, double milliseconds) {
  // BEGIN SOLUTION
  //: // TODO
  //: (void)bytes;
  //: (void)milliseconds;
  //: return 0;
  return 2.0 * static_cast<double>(bytes) / (milliseconds * 1e-3) / 1e9;
  // END SOLUTION
}

// ---------------------------------------------------------------------------------------------
// Prints the facts, tests the copies, and measures them. (`make test` runs many more cases.)

using Launch = void (*)(float* dest, const float* src, size_t count);

void memcpy_async(float* dest, const float* src, size_t count) {
  cuda_check(cudaMemcpyAsync(dest, src, count * sizeof(float), cudaMemcpyDeviceToDevice));
}

// The median of several runs, after one that does not count.
double milliseconds_of(Launch launch, float* dest, const float* src, size_t count) {
  cudaEvent_t begin, end;
  cuda_check(cudaEventCreate(&begin));
  cuda_check(cudaEventCreate(&end));
  std::vector<float> times(9);
  launch(dest, src, count);
  for (float& time : times) {
    cuda_check(cudaEventRecord(begin));
    launch(dest, src, count);
    cuda_check(cudaEventRecord(end));
    cuda_check(cudaEventSynchronize(end));
    cuda_check(cudaEventElapsedTime(&time, begin, end));
  }
  cuda_check(cudaEventDestroy(begin));
  cuda_check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

bool copies(const char* part, Launch launch, size_t count) {
  std::vector<float> host(count);
  for (size_t i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  float *src, *dest;
  cuda_check(cudaMalloc(&src, count * sizeof(float)));
  cuda_check(cudaMalloc(&dest, count * sizeof(float)));
  cuda_check(cudaMemcpy(src, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  cuda_check(cudaMemset(dest, 0xFF, count * sizeof(float)));
  launch(dest, src, count);
  std::vector<float> got(count);
  cuda_check(cudaMemcpy(got.data(), dest, count * sizeof(float), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));
  const auto wrong = std::mismatch(host.begin(), host.end(), got.begin());
  if (wrong.first == host.end()) {
    std::printf("%-12s %zu floats copied\n", part, count);
    return true;
  }
  std::printf("%-12s %zu floats: float %td is %g, expected %g\n", part, count,
              wrong.first - host.begin(), *wrong.second, *wrong.first);
  return false;
}

void measure(size_t count) {
  float *src, *dest;
  cuda_check(cudaMalloc(&src, count * sizeof(float)));
  cuda_check(cudaMalloc(&dest, count * sizeof(float)));
  cuda_check(cudaMemset(src, 0x3C, count * sizeof(float)));
  const auto print = [&](const char* name, Launch launch) {
    const double milliseconds = milliseconds_of(launch, dest, src, count);
    std::printf("%-16s %.0f GB/s\n", name, copy_gb_per_s(count * sizeof(float), milliseconds));
  };
  print("cudaMemcpyAsync", memcpy_async);
  print("copy", launch_copy);
  print("vector-copy", launch_vector_copy);
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));
}

// With any argument it also measures: 1 GiB per copy, which takes long without a GPU.
int main(int argc, char**) {
  const DeviceFacts facts = query_device(0);
  std::printf("SMs                      %d\n", facts.sms);
  std::printf("threads per SM           %d\n", facts.max_threads_per_sm);
  std::printf("registers per SM         %d\n", facts.registers_per_sm);
  std::printf("shared memory per SM     %d bytes\n", facts.shared_bytes_per_sm);
  std::printf("shared memory per CTA    %d bytes\n", facts.shared_bytes_per_cta);
  std::printf("L2 cache                 %d bytes\n", facts.l2_bytes);
  std::printf("memory's peak            %d GB/s\n", facts.peak_gb_per_s);
  std::printf("must be in flight per SM %d bytes\n\n", facts.bytes_in_flight_per_sm);

  bool right = copies("copy", launch_copy, 100'003);
  right &= copies("vector-copy", launch_vector_copy, 100'003);
  if (argc > 1) measure(size_t{1} << 28);
  return right ? 0 : 1;
}
