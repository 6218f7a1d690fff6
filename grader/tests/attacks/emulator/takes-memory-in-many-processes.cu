// Takes memory in many processes, each of which stays below what one may have. The answer is right
// if all together got 10 GiB.
//
// Fails: it starts no process.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  constexpr size_t each = 256 << 20;
  constexpr int processes = 40;
  int ready[2];
  if (pipe(ready) != 0) return;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = fork();
    if (child < 0) return;
    if (child > 0) continue;
    prctl(PR_SET_NAME, "tma-attack");
    void* memory = mmap(nullptr, each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) _exit(1);
    std::memset(memory, 1, each);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    sleep(600);
    _exit(0);
  }
  close(ready[1]);
  char knock;
  for (int i = 0; i < processes; ++i) {
    if (read(ready[0], &knock, 1) != 1) return;
  }
  reverse<<<1, 256>>>(dest, src, count);
}
