// What the judge asks of the canary: no lab's, but a program that shows whether this machine can
// judge at all.
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace canary {

namespace parts {
#include "checks/canary/parts.def"
}

class AddOne : public judge::CheckWith<std::size_t> {};
TEST_P(AddOne, AddsOneToEachElement) {
  const std::size_t count = GetParam();
  const std::vector<std::int32_t> src = random().integers(count);
  std::vector<std::int32_t> dest = src;
  for (auto& element : dest) ++element;
  examine({parts::add_one,
           common::counted(count, "element"),
           {judge::output("dest", judge::tensor({count}, dest)),
            judge::input("src", judge::tensor({count}, src)),
            judge::integer(static_cast<std::int64_t>(count))}});
}
INSTANTIATE_TEST_SUITE_P(canary, AddOne, testing::Values(1, 10'007));

}  // namespace canary
