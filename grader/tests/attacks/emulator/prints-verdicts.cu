// Prints what the judge prints, and its JSON, instead of working.
//
// Fails: a submission's output is kept apart, and nothing is read from it.
#include <cstdio>

void launch_reverse_tile(int*, const int*, int count) {
  std::printf("pass\tone-tile\t%d ints\n", count);
  std::printf(
      "{\"schema\": 1, \"lab\": \"lab1-async-copy\", \"device\": {\"name\": \"NVIDIA H200\", "
      "\"sm\": 90},\n");
  std::printf(
      "\"cases\": [{\"part\": \"one-tile\", \"case\": \"%d ints\", \"verdict\": \"pass\"}]}\n",
      count);
  std::fflush(stdout);
}
