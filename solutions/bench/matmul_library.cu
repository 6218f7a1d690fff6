// lab12-matmul's solution for lab12-matmul.py, which races it against torch in one process.
#define main self_test  // the solution brings its own
#include "lab12-matmul/lab12.cu"
#undef main

extern "C" void multiply(int m, int n, int k, void* a, void* b, void* c) {
  launch_h100_matmul(m, n, k, static_cast<bf16*>(a), static_cast<bf16*>(b), static_cast<bf16*>(c));
}
