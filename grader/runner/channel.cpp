#include "runner/channel.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "contract/protocol/doorbell.h"

namespace runner {

common::Result<Channel> Channel::open() {
  void* page = mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                    protocol::page_descriptor, 0);
  if (page == MAP_FAILED) {
    return common::Error{std::string("cannot map the judge's page: ") + std::strerror(errno) +
                         "; the runner is started by the judge, not by hand"};
  }
  auto* mapped = static_cast<protocol::Page*>(page);
  if (mapped->version != protocol::protocol_version) {
    return common::Error{"judge and runner were built from different versions of the protocol"};
  }
  return Channel(mapped);
}

std::optional<protocol::Request> Channel::next_request() {
  const auto asked = [this] {
    return page_->request_sequence.load(std::memory_order_acquire) != sequence_;
  };
  while (!protocol::spin_until(asked, protocol::short_spin)) {
    char knocks[64];
    const auto received = recv(protocol::doorbell_descriptor, knocks, sizeof knocks, 0);
    const bool judge_gone = received == 0 || (received < 0 && errno != EINTR);
    if (judge_gone) return std::nullopt;
  }
  sequence_ = page_->request_sequence.load(std::memory_order_acquire);
  return page_->request;
}

void Channel::reply(const protocol::Reply& reply) {
  page_->reply = reply;
  page_->reply_sequence.store(sequence_, std::memory_order_release);
  protocol::ring(protocol::doorbell_descriptor);
}

}  // namespace runner
