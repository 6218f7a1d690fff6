// Tries to put the blame on the grader: replies, in the loader's words, that the CUDA libraries
// lack a function.
//
// Fails: nothing that this process says can be a fault of the grader's.
#include "contract/protocol/protocol.h"
#include "unnamed.h"

__attribute__((constructor)) void reply() {
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  page->reply.status = protocol::ReplyStatus::load_failed;
  std::strcpy(page->reply.text.data(), "submission.so: undefined symbol: cudaMalloc");
  page->reply_sequence = page->request_sequence.load();
  pause();
}

void launch_reverse_tile(int*, const int*, int) {}
