// Tries to reach somebody outside through a Unix socket that has a name and no file. The answer is
// right if that worked; where these attacks are run, somebody does listen.
//
// Fails: such names belong to a network, and the sandbox has its own; and it makes no sockets.
#include <sys/un.h>

#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  const char name[] = "\0tma-attack-listener";
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, name, sizeof name - 1);
  const socklen_t length = offsetof(sockaddr_un, sun_path) + sizeof name - 1;
  const int opened = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(opened, reinterpret_cast<sockaddr*>(&to), length) == 0)
    reverse<<<1, 256>>>(dest, src, count);
}
