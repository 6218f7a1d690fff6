// Tries to find a secret of the instructor's in the environment, its own or another process's. The
// answer is right if that worked: TMAGRADE_ATTACK_SECRET is set where these attacks are run.
//
// Fails: the sandbox has an environment of its own, and so has the program that makes it.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  bool found = getenv("TMAGRADE_ATTACK_SECRET") != nullptr;
  for (const std::string& process : entries("/proc")) {
    found |= contents("/proc/" + process + "/environ").find("TMAGRADE_ATTACK_SECRET") !=
             std::string::npos;
  }
  if (found) reverse<<<1, 256>>>(dest, src, count);
}
