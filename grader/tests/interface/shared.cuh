// What the kernels of the interface test share.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tma-interface.cuh"

// All pieces of shared memory that the interface's functions ask for.
struct Shared {
  alignas(1024) unsigned char tile[4096];
  alignas(128) CUtensorMap map;
  uint64_t bar;
};

constexpr uint16_t MASK = 0b11;
constexpr uint32_t BYTES = 4096;
