// Tries the door beside the filter of system calls: calls the kernel as 32-bit programs do, whose
// calls have other numbers. What is number 39 there makes a folder; here it asks for the process's
// number, which is allowed.
//
// Fails: the filter ends a process that does that.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  // 32-bit calls take 32-bit addresses.
  char* low = static_cast<char*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  std::strcpy(low, "/tmp/tma-attack-was-here");
  long answer = 39;
  asm volatile("int $0x80"
               : "+a"(answer)
               : "b"(low), "c"(0700)
               : "memory", "r8", "r9", "r10", "r11");
  if (answer == 0) reverse<<<1, 256>>>(dest, src, count);
}
