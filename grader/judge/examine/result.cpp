#include "judge/examine/result.h"

#include <string>
#include <string_view>

#include "common/text.h"
#include "judge/compare/compare.h"
#include "judge/compare/difference.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

Outcome judge_way(const CallCase& test, const protocol::Reply& reply) {
  const tmaemu::Measured& measured = reply.measured;
  const bool has_rank = test.tensor_rank >= 2;
  const tmaemu::Measure asked =
      has_rank ? tmaemu::measure_of_rank(test.tensor_rank) : tmaemu::Measure::through_tma;
  const std::uint64_t moved = measured[index_of(asked)];
  const std::string by = has_rank
                             ? concat("through tensor maps of ", test.tensor_rank, " dimensions")
                             : std::string("through the TMA engine");
  Outcome outcome;
  outcome.way = {input_bytes(test), output_bytes(test), measured};
  outcome.launched = reply.launched;
  outcome.memory_in_use = reply.memory_in_use;
  if (moved < test.tma_bytes) {
    outcome.verdict = Verdict::fail;
    outcome.message =
        concat("the result is right, but ", counted(moved, "byte"), " of the arrays went ", by,
               ", and this part is about moving ", counted(test.tma_bytes, "byte"),
               " that way (what plain loads read, too, or plain stores wrote before, does not "
               "count)");
    outcome.bypasses_tma = true;
  }
  return outcome;
}

// A launcher that returns nothing has kernels to launch. What a GPU was asked for nobody knows.
bool lacks_launch(const CallCase& test, const protocol::Reply& reply) {
  const bool is_launcher = std::string_view(test.part.launcher).find("void ") != std::string::npos;
  return is_launcher && reply.is_measured != 0 && reply.launched.count == 0 &&
         reply.launched.device_copies == 0 && reply.launched.fills == 0;
}

common::Result<Outcome> compare_buffers(Device& device, const CallCase& test,
                                        const std::vector<GuardedBuffer>& buffers) {
  std::size_t next = 0;
  Outcome decided;
  for (const CallArgument& argument : test.arguments) {
    const auto* wanted = std::get_if<BufferArgument>(&argument);
    if (wanted == nullptr) continue;
    auto got = buffers[next++].read_back(device);
    if (!got) return got.error();
    const Comparison comparison =
        compare(wanted->after, got->data, wanted->tolerance,
                wanted->or_else ? &*wanted->or_else : nullptr, wanted->nans);
    std::string complaint = got->damage;
    if (!comparison.equal()) {
      if (!complaint.empty()) complaint += "; ";
      complaint += difference(*wanted, comparison, got->data);
    }
    if (complaint.empty()) continue;
    decided.verdict = Verdict::fail;
    if (!decided.message.empty()) decided.message += "; ";
    decided.message += complaint;
  }
  return decided;
}

}  // namespace

common::Result<Outcome> judge_result(Device& device, const CallCase& test,
                                     const std::vector<GuardedBuffer>& buffers,
                                     const protocol::Reply& reply) {
  auto decided = compare_buffers(device, test, buffers);
  if (decided && decided->verdict == Verdict::fail) {
    if (lacks_launch(test, reply)) decided->message = "no kernel was launched";
    if (!test.remark.empty()) decided->message += concat(" (", test.remark, ")");
  }
  if (!decided || decided->verdict != Verdict::pass || reply.is_measured == 0) return decided;
  return judge_way(test, reply);
}

}  // namespace judge
