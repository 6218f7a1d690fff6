// Stops the clocks of its own process, and takes its time: two minutes of sleep that no clock
// shows.
//
// Fails: time is the judge's, by the judge's clock.
#include <time.h>

#include "unnamed.h"

int no_time(clockid_t, timespec* time) {
  *time = {1, 0};
  return 0;
}

void launch_reverse_tile(int*, const int*, int) {
  replace(dlsym(RTLD_DEFAULT, "clock_gettime"), reinterpret_cast<void*>(no_time));
  sleep(120);
}
