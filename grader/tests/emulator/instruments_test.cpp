// Nothing that executes depends on who looks on: with each instrument, with all and with none a
// launch has the same results and the same outcome, and its threads run in the same order. That
// holds of programs with a mistake, too, which the hazard checker and execution both see.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/tma/tensor_map.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

struct Looking {
  const char* who;
  bool KernelRun::*on;
};
constexpr Looking instruments[] = {{"the statistics", &KernelRun::counted},
                                   {"the trace", &KernelRun::traced},
                                   {"the measures", &KernelRun::measured},
                                   {"the recording", &KernelRun::recorded},
                                   {"the checker", &KernelRun::checked}};

// Where the kernel ends, and with what. Of a deadlock, the checker says in other words what is
// missing.
auto outcome_of(const KernelResult& result) {
  const Finding fault = result.fault.value_or(Finding{Sentence::all_threads_wait});
  std::vector<std::tuple<std::uint32_t, ThreadId, std::uint64_t, WaitedFor>> waiters;
  for (const Waiters& each : fault.waiters) {
    waiters.emplace_back(each.site, each.first, each.threads, each.waited_for);
  }
  return std::tuple(result.fault.has_value(), fault.code().code, fault.site, fault.cta,
                    fault.thread, waiters);
}

struct Alone {
  KernelResult result;
  // Where one of several host threads meets a fault, what the others have done by then differs.
  bool is_whole = true;
};

void expect_same(const KernelResult& result, const Alone& alone, const char* who) {
  EXPECT_EQ(outcome_of(result), outcome_of(alone.result)) << who;
  if (!alone.is_whole) return;
  EXPECT_EQ(result.output, alone.result.output) << who;
  EXPECT_EQ(result.thread_instructions, alone.result.thread_instructions) << who;
}

// The output holds moments of the clock and the order of the threads: it says how the kernel ran.
void expect_same_with_each(KernelRun run) {
  run.observed = false;
  Alone alone{run_kernel(run)};
  alone.is_whole = run.host_threads == 1 || !alone.result.fault;
  KernelRun all = run;
  for (const auto& [who, on] : instruments) {
    KernelRun observed = run;
    observed.*on = true;
    expect_same(run_kernel(observed), alone, who);
    all.*on = true;
  }
  expect_same(run_kernel(all), alone, "all");
}

// One host thread sees the same events, whoever else does.
void expect_same_events_with_all(KernelRun run) {
  run.observed = true;
  const std::vector<std::string> alone = run_kernel(run).events.lines();
  for (const Looking& instrument : instruments) run.*instrument.on = true;
  EXPECT_EQ(run_kernel(run).events.lines(), alone);
}

void expect_same_whoever_looks_on(KernelRun run) {
  for (const auto kind : {TimingPolicy::Kind::late, TimingPolicy::Kind::early}) {
    for (const unsigned host_threads : {1u, 2u}) {
      run.policy.kind = kind;
      run.host_threads = host_threads;
      expect_same_with_each(run);
    }
  }
  run.host_threads = 1;
  run.schedule = 7;
  expect_same_with_each(run);
  expect_same_events_with_all(run);
}

constexpr const char* init =
    "@%leader mbarrier.init.shared.b64 [%bar], 1;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n";
constexpr const char* load =
    "@%leader mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 512;\n"
    "@%leader cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
    "[%tile], [%in], 512, [%bar];\n";
constexpr const char* wait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;\n";
// When the thread came here, and how many of its CTA came before it.
constexpr const char* store_moment =
    "atom.shared.add.u32 %c, [%tile+1024], 1;\nmov.u32 %b, %clock;\n"
    "mad.lo.u32 %b, %c, 65536, %b;\nst.global.u32 [%out], %b;\n";

KernelRun kernel(const std::string& body) {
  KernelRun run;
  run.body = "@%leader st.shared.u32 [%tile+1024], 0;\n" + body;
  run.threads = 96;
  run.ctas = 16;  // so that two host threads have something to do
  return run;
}

TEST(Instruments, ChangeNothingOfARightKernel) {
  KernelRun run = kernel(std::string(init) + load + wait + store_moment);
  expect_same_whoever_looks_on(run);
  run.checked = true;
  EXPECT_EQ(run_kernel(run).findings, std::vector<std::string>());
}

TEST(Instruments, ChangeNothingWhereAnMbarrierIsMissed) {
  // Never initialized: the arrival and the load's bytes come to nothing.
  expect_same_whoever_looks_on(kernel(std::string(load) + "bar.sync 0;\n" + store_moment));
}

TEST(Instruments, ChangeNothingWhereAnMbarrierOverflows) {
  expect_same_whoever_looks_on(
      kernel(std::string(init) + "mbarrier.arrive.shared.b64 _, [%bar], 2;\n" + store_moment));
}

TEST(Instruments, ChangeNothingOfADeadlock) {
  expect_same_whoever_looks_on(kernel(std::string(init) + store_moment +
                                      "@%leader mbarrier.expect_tx.relaxed.cta.shared.b64 "
                                      "[%bar], 64;\n" +
                                      wait));
}

TEST(Instruments, ChangeNothingOfAFault) {
  expect_same_whoever_looks_on(
      kernel(std::string(init) + store_moment + "ld.global.u32 %a, [16];\n"));
}

// A map of 128 bytes, at the beginning of the input, to be changed by the kernel.
std::vector<std::byte> encoded_map() {
  tma::TensorMap map;
  map.type = tma::DataType::u32;
  map.rank = 1;
  map.global_size[0] = map.box_size[0] = 32;
  map.element_stride[0] = 1;
  const auto bytes = tma::encode(map);
  return {bytes.begin(), bytes.end()};
}

TEST(Instruments, ChangeNothingWhereNoFenceFollowsTheChangeOfATensorMap) {
  KernelRun run = kernel(
      std::string(init) +
      "add.u64 %state, %in, 1024;\n"
      "@%leader tensormap.replace.tile.global_address.global.b1024.b64 [%in], %state;\n"
      "@%leader mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 128;\n"
      "@%leader cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%tile], [%in, {0}], [%bar];\n" +
      wait + store_moment);
  run.input = encoded_map();
  run.ctas = 1;
  run.observed = false;
  ASSERT_EQ(run_kernel(run).findings, std::vector<std::string>{"missing-tensor-map-fence"});
  expect_same_whoever_looks_on(run);
}

// --- What both see is told once ---

std::vector<std::string> findings_of(KernelRun run, bool checked) {
  run.observed = false;
  run.checked = checked;
  return run_kernel(run).findings;
}

TEST(Instruments, TheCheckerTellsWhatExecutionSeesToo) {
  KernelRun missed = kernel(std::string("@%leader mbarrier.arrive.shared.b64 _, [%bar];\n"));
  missed.ctas = 1;
  const std::vector<std::string> uninitialized{"missing-barrier-init-fence"};
  EXPECT_EQ(findings_of(missed, false), uninitialized);
  EXPECT_EQ(findings_of(missed, true), uninitialized);
}

}  // namespace
}  // namespace tmaemu
