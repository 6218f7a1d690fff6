// The ladder of lab 12: a product from a thread an element to the solution, one step at a time. The
// chapter shows what `tmaemu --stats` says of each rung; `make bench LABS=lab12` measures them.
#define main self_test  // the solution brings its own
#include "lab12-matmul/lab12.cu"
#undef main

#include <cstdlib>
#include <cstring>

#include "ladders/matmul/rungs.cuh"

// Usage: program [M N K [rung...]]: 512, 512 and 256 unless told, and all rungs. What all of them
// take are multiples of 256, 256 and 64; from `wide` on, any multiples of 8.
int main(int argc, char** argv) {
  const bool is_told = argc > 3;
  const int m = is_told ? std::atoi(argv[1]) : 512;
  const int n = is_told ? std::atoi(argv[2]) : 512;
  const int k = is_told ? std::atoi(argv[3]) : 256;
  const auto is_wanted = [=](const char* rung) {
    return argc <= 4 || std::any_of(argv + 4, argv + argc,
                                    [=](const char* name) { return !std::strcmp(name, rung); });
  };
  const std::vector<bf16> a = numbers(static_cast<size_t>(m) * k, 1);
  const std::vector<bf16> b = numbers(static_cast<size_t>(n) * k, 2);
  const std::vector<float> expected = product(a, b, k);
  bf16* const a_there = on_device(a);
  bf16* const b_there = on_device(b);
  bool right = true;
  for (const ladder::Rung& rung : ladder::RUNGS) {
    if (!is_wanted(rung.name)) continue;
    right &= gives<bf16>(rung.name, expected,
                         [&](bf16* c) { rung.launch(m, n, k, a_there, b_there, c); });
  }
  return right ? 0 : 1;
}
