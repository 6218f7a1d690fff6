// Products that do not read all of their tiles, or read parts of them again, and are right.
#include "ptx-wgmma-tiles.h"

constexpr int TAPS = 3;
constexpr int IMAGE_ROWS = 72;  // A's, and a halo

struct alignas(1024) Image {
  unsigned char pixels[IMAGE_ROWS * ROW_BYTES];
  unsigned char weights[TAPS * B_ROWS * ROW_BYTES];
};
__device__ void load_image(Image& image, const Maps& maps, uint64_t& loaded) {
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(image));
    load_tile(image.pixels, &maps.a, 0, 0, &loaded);
    load_tile(image.weights, &maps.b, 0, IMAGE_ROWS, &loaded);
  }
  wait_parity(&loaded, 0);
}
__device__ uint64_t pixels_of(const Image& image, int tap, int step) {
  return described(image.pixels + tap * ROW_BYTES, Layout(), step);
}
__device__ uint64_t weights_of(const Image& image, int tap, int step) {
  return described(image.weights + tap * B_ROWS * ROW_BYTES, Layout(), step);
}

// Each tap begins a row further, and most of its rows are those of the last one.
template <int taps, int steps>
__device__ void convolve(const Maps& maps, int* out) {
  __shared__ Image image;
  __shared__ uint64_t loaded;
  load_image(image, maps, loaded);
  Sums sums;
  fence_registers();
  for (int tap = 0; tap < taps; ++tap) {
    for (int step = 0; step < steps; ++step) {
      multiply(sums, pixels_of(image, tap, step), weights_of(image, tap, step));
    }
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}
template <int taps, int steps>
int convolved(int index) {
  int sum = 0;
  for (int tap = 0; tap < taps; ++tap) {
    sum +=
        product_of_rows(row_of_output(index) + tap,
                        IMAGE_ROWS + tap * B_ROWS + column_of_output(index), 0, steps * STEP_BYTES);
  }
  return sum;
}

//: pair convolution
__global__ void convolution(const __grid_constant__ Maps maps, int* out) {
  convolve<TAPS, STEPS>(maps, out);
}
// K ends before the tiles do.
//: pair convolution_of_few_channels
__global__ void convolution_of_few_channels(const __grid_constant__ Maps maps, int* out) {
  convolve<TAPS, 1>(maps, out);
}
//: pair short_rows
__global__ void short_rows(const __grid_constant__ Maps maps, int* out) {
  convolve<1, 2>(maps, out);
}

//: pair one_step_twice
__global__ void one_step_twice(const __grid_constant__ Maps maps, int* out) {
  __shared__ Image image;
  __shared__ uint64_t loaded;
  load_image(image, maps, loaded);
  Sums sums;
  fence_registers();
  for (int i = 0; i < 2; ++i) {
    multiply(sums, pixels_of(image, 0, 0), weights_of(image, 0, 0));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}
int a_step_twice(int index) {
  return 2 * convolved<1, 1>(index);
}

// A is read for the one result and for the other.
//: pair two_results
__global__ void two_results(const __grid_constant__ Maps maps, int* out) {
  __shared__ Image image;
  __shared__ uint64_t loaded;
  load_image(image, maps, loaded);
  Sums sums, others;
  fence_registers();
  for (int step = 0; step < 2; ++step) {
    multiply(sums, pixels_of(image, 0, step), weights_of(image, 0, step));
    multiply(others, pixels_of(image, 0, step), weights_of(image, 1, step));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
  store(out + 512, others);
}
int of_two_results(int index) {
  const int element = index % 512;
  return product_of_rows(row_of_output(element),
                         IMAGE_ROWS + index / 512 * B_ROWS + column_of_output(element), 0,
                         2 * STEP_BYTES);
}

// Each of two warpgroups has half of K.
//: pair half_of_k_each
__global__ void half_of_k_each(const __grid_constant__ Maps maps, int* out) {
  __shared__ Image image;
  __shared__ uint64_t loaded;
  load_image(image, maps, loaded);
  const int first = threadIdx.x / 128 * STEPS / 2;
  Sums sums;
  fence_registers();
  for (int step = first; step < first + STEPS / 2; ++step) {
    multiply(sums, pixels_of(image, 0, step), weights_of(image, 0, step));
  }
  commit_products();
  wait_products<0>();
  store(out, sums);
}
int of_half_of_k(int index) {
  const int element = index % 512, half = ROW_BYTES / 2;
  return product_of_rows(row_of_output(element), IMAGE_ROWS + column_of_output(element),
                         index / 512 * half, index / 512 * half + half);
}

template <auto kernel, int (*expected)(int), int threads = 128, int checked = 512>
Outcome ran() {
  const Memory memory;
  const Maps maps{map_of_bytes(memory.in, CU_TENSOR_MAP_SWIZZLE_128B, ROW_BYTES, IMAGE_ROWS),
                  map_of_bytes(memory.in, CU_TENSOR_MAP_SWIZZLE_128B, ROW_BYTES, TAPS * B_ROWS)};
  kernel<<<1, threads>>>(maps, memory.out);
  return memory.compare(expected, checked);
}
constexpr Pair both(const char* name, Outcome (*run)()) {
  return {name, run, run};
}

constexpr Pair pairs[] = {
    both("convolution", ran<convolution, convolved<TAPS, STEPS>>),
    both("convolution_of_few_channels", ran<convolution_of_few_channels, convolved<TAPS, 1>>),
    both("short_rows", ran<short_rows, convolved<1, 2>>),
    both("one_step_twice", ran<one_step_twice, a_step_twice>),
    both("two_results", ran<two_results, of_two_results, 128, 1024>),
    both("half_of_k_each", ran<half_of_k_each, of_half_of_k, 256, 1024>),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
