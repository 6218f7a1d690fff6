// The frame of the programs in programs/: each holds pairs of kernels, one with a mistake and its
// right twin.
//
//   PROGRAM list                            the pairs' names
//   PROGRAM NAME mistaken|right             prints "ok", "wrong" or "error: cudaError...";
//                                           exit status 0, 1, 2
//   PROGRAM NAME mistaken|right --repeat=N  the same N times, and prints how often each occurred
//   ... --repeat=N --busy                   while other kernels keep every SM busy
//
// Comments say what the checker must find in the mistaken kernel (never in the right one):
//
//   //: pair NAME          here begins the part of the file that belongs to the pair
//   //: CODE               findings of this code point to this line
//   //: CODE //: CODE      both
//   //: other              a note of the finding points to this line
//
// A comment alone on its line is about the next line. A finding in a function of the program points
// to the function's own line, and one in a header to the line that calls it. How the launch ends
// (deadlock, an illegal instruction) may always be told beside what led to it. What the hardware
// refuses, too, keeps the code of its fault: illegal-address where nothing is mapped.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum class Outcome { ok, wrong, error };

struct Pair {
  const char* name;
  Outcome (*mistaken)();
  Outcome (*right)();
};

// What a kernel may be given. The input is 1, 2, 3, ...; the output starts as -1, the scratch as 0.
constexpr int INPUTS = 4096;
constexpr int OUTPUTS = 4096;
constexpr int SCRATCH = 4096;

// Input and output as matrices of MAP_ROWS rows of MAP_COLUMNS ints, in tiles of TILE_ROWS x
// TILE_COLUMNS.
constexpr int MAP_COLUMNS = 64;
constexpr int MAP_ROWS = 64;
constexpr int TILE_COLUMNS = 32;
constexpr int TILE_ROWS = 4;
constexpr int TILE_INTS = TILE_ROWS * TILE_COLUMNS;

struct TensorMaps {
  CUtensorMap in;
  CUtensorMap out;
};

// How a kernel is launched, and how many of its outputs are compared.
struct Shape {
  int blocks = 1;
  int threads = 128;
  int checked = 128;
};

inline cudaError_t first_error = cudaSuccess;

inline void note(cudaError_t error) {
  if (first_error == cudaSuccess) {
    first_error = error;
  }
}

// What others do on a GPU that has more to do: reads of shared memory on every SM, whose bank
// conflicts keep its queues full. What is hidden on an SM of its own may show there.
inline bool is_busy = false;
static __global__ void keep_queues_full(long long clocks) {
  __shared__ int words[32][32];
  const volatile int* const column = &words[0][0] + threadIdx.x % 32 * 32;
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
    for (int i = 0; i < 32; ++i) {
      (void)column[i];
    }
  }
}
inline void keep_sms_busy() {
  static const cudaStream_t stream = [] {
    cudaStream_t made;
    note(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
  }();
  int sms = 0;
  note(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  keep_queues_full<<<3 * sms, 256, 0, stream>>>(1'000'000);  // not for long: all runs wait for it
}

// The three arrays, on the device.
struct Memory {
  int* in = nullptr;
  int* out = nullptr;
  int* scratch = nullptr;

  Memory() {
    std::vector<int> inputs(INPUTS);
    for (int i = 0; i < INPUTS; ++i) {
      inputs[i] = i + 1;
    }
    note(cudaMalloc(&in, INPUTS * sizeof(int)));
    note(cudaMalloc(&out, OUTPUTS * sizeof(int)));
    note(cudaMalloc(&scratch, SCRATCH * sizeof(int)));
    note(cudaMemcpy(in, inputs.data(), INPUTS * sizeof(int), cudaMemcpyHostToDevice));
    note(cudaMemset(out, 0xff, OUTPUTS * sizeof(int)));
    note(cudaMemset(scratch, 0, SCRATCH * sizeof(int)));
    if (is_busy) {
      keep_sms_busy();
    }
  }
  ~Memory() {
    for (int* array : {in, out, scratch}) {
      cudaFree(array);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Waits for the kernels; then the first `checked` outputs must be what is expected.
  Outcome compare(int (*expected)(int), int checked) const {
    note(cudaGetLastError());
    note(cudaDeviceSynchronize());
    std::vector<int> outputs(OUTPUTS);
    note(cudaMemcpy(outputs.data(), out, OUTPUTS * sizeof(int), cudaMemcpyDeviceToHost));
    if (first_error != cudaSuccess) {
      return Outcome::error;
    }
    for (int i = 0; i < checked; ++i) {
      if (outputs[i] != expected(i)) {
        return Outcome::wrong;
      }
    }
    return Outcome::ok;
  }
};

inline CUtensorMap matrix_map(int* matrix) {
  CUtensorMap map{};
  const cuuint64_t size[] = {MAP_COLUMNS, MAP_ROWS};
  const cuuint64_t stride[] = {MAP_COLUMNS * sizeof(int)};
  const cuuint32_t box[] = {TILE_COLUMNS, TILE_ROWS};
  const cuuint32_t element_stride[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, size, stride, box,
                             element_stride, CU_TENSOR_MAP_INTERLEAVE_NONE,
                             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    note(cudaErrorInvalidValue);
  }
  return map;
}

inline TensorMaps matrix_maps(const Memory& memory) {
  return {matrix_map(memory.in), matrix_map(memory.out)};
}

// A kernel takes the input and the output; the scratch or tensor maps too, if it names them.
inline void launch(void (*kernel)(const int*, int*), const Memory& memory, Shape shape) {
  kernel<<<shape.blocks, shape.threads>>>(memory.in, memory.out);
}
inline void launch(void (*kernel)(const int*, int*, int*), const Memory& memory, Shape shape) {
  kernel<<<shape.blocks, shape.threads>>>(memory.in, memory.out, memory.scratch);
}
inline void launch(void (*kernel)(const TensorMaps, const int*, int*), const Memory& memory,
                   Shape shape) {
  kernel<<<shape.blocks, shape.threads>>>(matrix_maps(memory), memory.in, memory.out);
}
inline void launch(void (*kernel)(const TensorMaps, const int*, int*, int*), const Memory& memory,
                   Shape shape) {
  kernel<<<shape.blocks, shape.threads>>>(matrix_maps(memory), memory.in, memory.out,
                                          memory.scratch);
}
// A kernel that may start before the one ahead of it is over.
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(128);
  config.attrs = &attribute;
  config.numAttrs = 1;
  note(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

// The usual expectations.
inline int the_input(int i) {
  return i + 1;
}
inline int mirrored(int i) {
  return 128 - i;
}
inline int twice_the_input(int i) {
  return 2 * (i + 1);
}
inline int input_plus_one(int i) {
  return i + 2;
}
inline int the_index(int i) {
  return i;
}
// The tile at the matrix's first row and column, row behind row.
inline int the_first_tile(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

template <auto kernel, int (*expected)(int), Shape shape>
Outcome run_once() {
  const Memory memory;
  launch(kernel, memory, shape);
  return memory.compare(expected, shape.checked);
}

template <auto mistaken, auto right, int (*expected)(int) = the_input, Shape shape = Shape{}>
constexpr Pair pair(const char* name) {
  return {name, run_once<mistaken, expected, shape>, run_once<right, expected, shape>};
}

inline int run_repeatedly(Outcome (*run)(), int times) {
  int counts[3] = {};
  for (int i = 0; i < times && first_error == cudaSuccess; ++i) {
    ++counts[static_cast<int>(run())];
  }
  std::printf("ok=%d wrong=%d error=%d\n", counts[0], counts[1], counts[2]);
  return counts[2] > 0 ? 2 : counts[1] > 0 ? 1 : 0;
}

inline int run_and_say(Outcome (*run)()) {
  const Outcome outcome = run();
  if (outcome == Outcome::error) {
    std::printf("error: %s\n", cudaGetErrorName(first_error));
  } else {
    std::puts(outcome == Outcome::ok ? "ok" : "wrong");
  }
  return static_cast<int>(outcome);
}

template <int count>
int run_pairs(const Pair (&pairs)[count], int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
    for (const Pair& pair : pairs) {
      std::puts(pair.name);
    }
    return 0;
  }
  const char* repeat = "--repeat=";
  is_busy = argc == 5 && std::strcmp(argv[4], "--busy") == 0;
  const bool repeated =
      (argc == 4 || is_busy) && std::strncmp(argv[3], repeat, std::strlen(repeat)) == 0;
  if (argc == 3 || repeated) {
    const bool mistaken = std::strcmp(argv[2], "mistaken") == 0;
    for (const Pair& pair : pairs) {
      if (std::strcmp(argv[1], pair.name) == 0 &&
          (mistaken || std::strcmp(argv[2], "right") == 0)) {
        Outcome (*run)() = mistaken ? pair.mistaken : pair.right;
        return repeated ? run_repeatedly(run, std::atoi(argv[3] + std::strlen(repeat)))
                        : run_and_say(run);
      }
    }
  }
  std::fprintf(stderr, "usage: %s list | NAME mistaken|right [--repeat=N [--busy]]\n", argv[0]);
  return 3;
}
