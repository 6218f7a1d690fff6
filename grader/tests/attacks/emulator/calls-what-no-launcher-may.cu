// Calls what a launcher has no need of, by name: files and processes. The attacks beside this one
// look such functions up without naming them, to meet the next fence.
//
// Fails: the build compares the names with a list.
#include <fcntl.h>
#include <unistd.h>

void launch_reverse_tile(int*, const int*, int) {
  open("/etc/passwd", O_RDONLY);
  if (fork() == 0) _exit(0);
}
