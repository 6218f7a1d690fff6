// Tries to put the blame on the grader: while the judge's buffers are mapped, it replies that this
// is not possible.
//
// Fails: nothing that this process says can be a fault of the grader's.
#include "runner/protocol.h"
#include "unnamed.h"

void refuse_for_ever() {
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::kPageBytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::kPageDescriptor, 0));
  for (;; sched_yield()) {
    if (page->request.command != protocol::Command::kMap) continue;
    page->reply.status = protocol::ReplyStatus::kCudaError;
    page->reply.cuda_error = 2;
    page->reply_sequence = page->request_sequence.load();
  }
}

__attribute__((constructor)) void start() {
  in_a_thread(refuse_for_ever);
}

void launch_reverse_tile(int*, const int*, int) {}
