// Tries to speak for the runner: a constructor starts a thread that answers every request of the
// judge's with "done".
//
// Fails: it may start no thread. Besides, a reply says that the runner is ready for the next
// request; whether the answer is right is read from memory.
#include "contract/protocol/protocol.h"
#include "unnamed.h"

void answer_for_ever() {
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  for (;; sched_yield()) {
    page->reply = protocol::Reply{};
    page->reply_sequence = page->request_sequence.load();
  }
}

__attribute__((constructor)) void start() {
  in_a_thread(answer_for_ever);
}

void launch_reverse_tile(int*, const int*, int) {}
