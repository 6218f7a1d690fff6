#include "emulator/tma/timing_policy.h"

#include <charconv>
#include <string_view>

namespace tmaemu {

common::Result<TimingPolicy> TimingPolicy::parse(const std::string& text) {
  if (text.empty() || text == "late") return TimingPolicy{Kind::late, 0};
  if (text == "early") return TimingPolicy{Kind::early, 0};
  constexpr std::string_view random = "random:";
  if (text.starts_with(random)) {
    TimingPolicy policy{Kind::random, 0};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + random.size(), end, policy.seed);
    if (error == std::errc{} && rest == end) return policy;
  }
  return common::Error{"TMAEMU_ASYNC is \"" + text +
                       "\"; it must be late, early, or random:SEED with an integer SEED"};
}

}  // namespace tmaemu
