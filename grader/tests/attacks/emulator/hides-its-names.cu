// Calls what no launcher may, and has the assembler spoil the table in which the build looks for
// that.
//
// Fails: a table that cannot be read is refused like a name that is on no list.
#include <unistd.h>

#include "plain_reverse.h"

asm(".pushsection .dynsym,\"a\"\n.fill 480, 1, 0xFF\n.popsection");

void launch_reverse_tile(int* dest, const int* src, int count) {
  if (access("/", R_OK) == 0) reverse<<<1, 256>>>(dest, src, count);
}
