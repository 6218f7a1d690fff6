#include "judge/session/session.h"

namespace judge {

namespace {
// As many calls that take all the time they may have are examined.
constexpr int most_calls = 30;
// A long case has its length for the sake of large tiles. One in small tiles is right, too, and
// takes that much longer.
constexpr int of_long_case = 6;
}  // namespace

Session* Session::current_ = nullptr;

Session::Session(Options options, Device& device)
    : options_(std::move(options)),
      device_(device),
      runners_(device, options_.runner, options_.timeout),
      examiner_(device, runners_, most_calls * options_.timeout),
      unchecked_runners_(device, options_.runner, of_long_case * options_.timeout),
      unchecked_examiner_(device, unchecked_runners_, most_calls * options_.timeout, Checks::none),
      again_(examiner_) {
  report_.seed = options_.seed;
  report_.device = device.facts();
  current_ = this;
}

}  // namespace judge
