// What a launcher asks the current GPU about, to choose its numbers by it. Host functions.
#pragma once

#include <cuda_runtime.h>

#include "cuda-check.cuh"

// One fact of the current GPU. CUDA Runtime API, "cudaDeviceAttr".
inline int device_attribute(cudaDeviceAttr which) {
  int device, value;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

// How many streaming multiprocessors it has.
inline int sm_count() {
  return device_attribute(cudaDevAttrMultiProcessorCount);
}

// What its memory can move, by its clock (kHz) and the width of its bus (bits), at two bits a clock
// on each wire: 3.35e12 bytes per second on an H100, 4.81e12 on an H200. Asked once, of the GPU
// that is current then, since the driver takes half a millisecond to answer.
inline double memory_bytes_per_s() {
  static const double asked = 2e3 * device_attribute(cudaDevAttrMemoryClockRate) *
                              device_attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  return asked;
}
