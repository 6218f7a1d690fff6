// Tries to reach somebody outside: connects to everything that listens on this machine. The answer
// is right if that worked; where these attacks are run, somebody does listen.
//
// Fails: the sandbox has a network of its own, without a way out, and makes no sockets.
#include <arpa/inet.h>
#include <netinet/in.h>

#include "plain_reverse.h"
#include "unnamed.h"

bool connect_to(unsigned address, unsigned port) {
  constexpr unsigned this_machine = 0x0100007F;  // 127.0.0.1, its bytes in the network's order
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = address ? address : this_machine;
  to.sin_port = static_cast<in_port_t>(port << 8 | port >> 8);
  const int opened = socket(AF_INET, SOCK_STREAM, 0);
  return opened >= 0 && connect(opened, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  for (const std::string& line : lines(contents("/proc/net/tcp"))) {
    unsigned address, port, state;
    if (std::sscanf(line.c_str(), " %*d: %x:%x %*x:%*x %x", &address, &port, &state) != 3) continue;
    if (state != 0x0A || !connect_to(address, port)) continue;  // TCP_LISTEN
    reverse<<<1, 256>>>(dest, src, count);
    return;
  }
}
