// The runner's end of the protocol.
#pragma once

#include <optional>

#include "common/result.h"
#include "contract/protocol/protocol.h"

namespace runner {

class Channel {
 public:
  // Maps the page that the judge left under protocol::page_descriptor.
  static common::Result<Channel> open();

  // The next request, or nothing once the judge is gone.
  std::optional<protocol::Request> next_request();

  // Answers the request that next_request() returned last.
  void reply(const protocol::Reply& reply);

 private:
  explicit Channel(protocol::Page* page) : page_(page) {}

  protocol::Page* page_;  // stays mapped until the process ends
  std::uint32_t sequence_ = 0;
};

}  // namespace runner
