// Tries to become the superuser of a namespace of its own, and to mount something over what is
// there. The answer is right if that worked.
//
// Fails: the sandbox has no privileges, and the calls are refused.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return;
  mount("none", "/", nullptr, MS_REC | MS_PRIVATE,
        nullptr);  // where it works, it shall not do harm
  if (mount("none", "/tmp", "tmpfs", 0, nullptr) == 0) reverse<<<1, 256>>>(dest, src, count);
}
