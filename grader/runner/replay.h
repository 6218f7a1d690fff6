// The other runner, `runner --replay`: repeats what a first one recorded of a submission's work on
// the emulated device (handout/inside/replay.md). It loads no code of the submission's for the
// host, so what it replies is the truth.
#pragma once

#include <string>

#include "runner/worker.h"

namespace runner {

class Replay : public Worker {
 public:
  using Worker::Worker;

 private:
  protocol::Reply load() override;
  protocol::Reply map(const protocol::Request& request) override;
  protocol::Reply call(const protocol::Request& request) override;
  protocol::Reply rehearse(const protocol::Request& request) override;

  protocol::Reply repeat_call();
};

}  // namespace runner
