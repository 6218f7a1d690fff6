// Rings the doorbell without end, so that the judge never sleeps, and never replies.
//
// Fails: the judge looks at its clock whenever it is woken.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  const char knocks[4096] = {};
  for (;;) send(4, knocks, sizeof knocks, MSG_NOSIGNAL);
}
