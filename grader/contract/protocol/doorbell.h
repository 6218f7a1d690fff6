// How both ends wait for each other: a short spin, since most answers come within microseconds,
// then sleep on a socket. The doorbell only wakes; what counts is the sequence number in the shared
// page.
#pragma once

#include <sched.h>
#include <sys/socket.h>

#include <chrono>

namespace protocol {

inline constexpr std::chrono::microseconds short_spin{50};

// Tells the processor that this is a loop that waits.
inline void pause_briefly() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#else
  asm volatile("yield");  // aarch64
#endif
}

// Whether `ready()` became true within `limit`.
template <class Ready>
bool spin_until(Ready ready, std::chrono::nanoseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready()) return true;
      pause_briefly();
    }
    sched_yield();  // should the other end have to share this core, it gets its turn
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

// Wakes the other end. A full or closed socket is no error: the other end is awake or gone.
inline void ring(int doorbell) {
  const char knock = 1;
  [[maybe_unused]] const auto sent = send(doorbell, &knock, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace protocol
