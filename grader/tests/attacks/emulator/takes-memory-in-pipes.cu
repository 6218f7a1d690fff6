// Puts a page of each huge page that it has into a pipe, and then unmaps the huge pages: they are
// in no process any more, and still there, in whole. The answer is right if it got one GiB
// that way.
//
// Fails: pages cannot be put into pipes.
#include <sys/syscall.h>

#include "plain_reverse.h"
#include "unnamed.h"

constexpr size_t page = 2 << 20;
constexpr size_t in_a_pipe = 256;

bool put_huge_pages_into_a_pipe() {
  int ends[2];
  if (pipe(ends) != 0 || syscall(SYS_fcntl, ends[1], F_SETPIPE_SZ, in_a_pipe * 4096) < 0)
    return false;
  char* memory = static_cast<char*>(mmap(nullptr, (in_a_pipe + 1) * page, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (memory == MAP_FAILED) return false;
  madvise(memory, (in_a_pipe + 1) * page, MADV_HUGEPAGE);
  char* first = memory + page - reinterpret_cast<std::uintptr_t>(memory) % page;
  bool done = true;
  for (size_t i = 0; i < in_a_pipe && done; ++i) {
    first[i * page] = 1;
    const iovec piece{first + i * page, 4096};
    done = syscall(SYS_vmsplice, ends[1], &piece, 1, 0) == 4096;
  }
  munmap(memory, (in_a_pipe + 1) * page);
  return done;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  for (size_t taken = 0; taken < size_t{1} << 30; taken += in_a_pipe * page) {
    if (!plenty_of_memory() || !put_huge_pages_into_a_pipe()) return;
  }
  reverse<<<1, 256>>>(dest, src, count);
}
