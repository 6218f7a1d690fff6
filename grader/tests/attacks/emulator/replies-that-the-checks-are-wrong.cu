// Tries to put the blame on the grader, whose faults cost no points: replies that there is no such
// part.
//
// Fails: nothing that this process says can be a fault of the grader's.
#include "contract/protocol/protocol.h"
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  page->reply.status = protocol::ReplyStatus::unknown_part;
  page->reply_sequence = page->request_sequence.load();
  pause();
}
