// Gives the right answer, and leaves a thread behind that keeps a processor busy, while others are
// graded.
//
// Fails: it may start none, and the process is gone when its submission has been judged. The answer
// is right, and the points are honest.
#include "reverse.h"
#include "unnamed.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  static bool started = false;
  if (!std::exchange(started, true)) {
    in_a_thread([] {
      prctl(PR_SET_NAME, "tma-attack");
      for (volatile int i = 0;; i = i + 1) {
      }
    });
  }
  reverse<<<1, 256>>>(dest, src, count);
}
